/**
 * statistics: averages over tasks, comparison with published results, and whether two results differ by more than
 * chance.
 *
 * In: results and scores of single items. Out: means, ranks, intervals, p-values.
 * Never: computing a score, writing a file.
 */
export { association, type Association, type AssociationMethod, chooseMeasure } from './association.ts'
export { agrees, compareAll, type Compared, type Ours, oursListed, toOurs } from './against.ts'
export { type AnswerPair, type AnswersCompared, compareAnswers } from './answer-pairs.ts'
export { type AveragedTask, type Averages, averagesOf, bordaRanks, type Contender, meanScore } from './averages.ts'
export { type Interval, meanIntervals } from './bootstrap.ts'
export { comparePairs, compareTask, type Comparison, pairName, readItems, type Side } from './compare.ts'
export { holm, holmBy, signFlip } from './corrected.ts'
export {
  type Difference,
  type Differences,
  differences,
  overTasks,
  type ResultRow,
  type RowDifference,
  type RowOverTasks,
  toDifference,
} from './differences.ts'
export { frontierNames } from './frontier.ts'
export { type ItemDifference, type ItemDifferences, itemDifferences } from './item-differences.ts'
export { type ScoreCell, type ScoreGrid, scoreGrid } from './score-grid.ts'
export { type MeanInterval, meansOverTasks, type TaskSides } from './mean-intervals.ts'
export { pairedT, signTest, wilcoxon } from './paired-tests.ts'
export { rankCorrelation, type RankCorrelation } from './rank-correlation.ts'
export { scoreInterval, type ScoreInterval } from './score-interval.ts'
export { toContenders, type Summary, summaries } from './summaries.ts'
