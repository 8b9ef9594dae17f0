/**
 * aggregate: every way of combining the layers of a model, on tasks – the choice by validation, and whether it beats a
 * single layer.
 *
 * In: an opened model, tasks, methods with their settings. Out: results on disk, representation files, a report.
 * Never: a choice based on the scores that judge it, console output.
 */
export { type AggregateOptions, qualityNames, type QualitySource, type SimilaritySource } from './options.ts'
export { aggregateGrid, aggregateWeights } from './pictures.ts'
export { mixMemory } from './mix-memory.ts'
export { aggregateReport } from './make-report.ts'
export type { ReferenceDifference } from './references.ts'
export type { AggregateReport, MethodCell, TaskReport } from './report.ts'
export { gatherTables, writeChosen, writeModelTables, writeTables } from './result-tree.ts'
export { truncate, type TruncatedTask, type Truncation } from './truncate.ts'
export { type Aggregated, aggregateArithmetic, runAggregate } from './run-aggregate.ts'
