/**
 * statistics: averages over tasks, and whether two results differ by more than chance.
 *
 * In: results and scores of single items. Out: means, ranks, intervals, p-values.
 * Never: a score computed, a file written.
 */
export { type AskedTask, type Averages, averagesOf, bordaRanks, type Contender, meanScore } from './averages.ts'
export type { Interval } from './bootstrap.ts'
export { compareTask, type Comparison, type Side } from './compare.ts'
