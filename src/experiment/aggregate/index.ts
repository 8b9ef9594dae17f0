/**
 * aggregate: every way to combine a model's layers, on tasks – which one validation chooses, and whether it is better
 * than a single layer.
 *
 * In: an opened model, tasks, methods with their settings. Out: results on disk, representation files, a report.
 * Never: a choice that has seen the scores it is judged by, a word on the console.
 */
export type { AggregateOptions, QualitySource, SimilaritySource } from './options.ts'
export { aggregateGrid, aggregateWeights } from './pictures.ts'
export { recipeName } from './choice.ts'
export { aggregateReport } from './make-report.ts'
export type { ReferenceDifference } from './references.ts'
export type { AggregateReport, MethodCell, TaskReport } from './report.ts'
export { writeChosen, writeTables } from './result-tree.ts'
export { truncate, type TruncatedTask, type Truncation } from './truncate.ts'
export { type Aggregated, runAggregate } from './run-aggregate.ts'
