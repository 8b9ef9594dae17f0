/**
 * aggregate: every way to combine a model's layers, on tasks – which one validation chooses, and whether it is better
 * than a single layer.
 *
 * In: an opened model, tasks, methods with their settings. Out: results on disk, representation files, a report.
 * Never: a choice that has seen the scores it is judged by, a word on the console.
 */
export { type AggregateOptions, qualityNames, type QualitySource, type SimilaritySource } from './options.ts'
export { aggregateGrid, aggregateWeights } from './pictures.ts'
export { recipeName } from './choice.ts'
export { type AggregateReport, aggregateReport, type Held, type MethodCell, type TaskReport } from './report.ts'
export { writeChosen, writeTables } from './result-tree.ts'
export { truncate, type TruncatedTask, type Truncation } from './truncate.ts'
export { type Aggregated, aggregateArithmetic, runAggregate } from './run-aggregate.ts'
