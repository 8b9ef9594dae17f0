/**
 * Averages over tasks, ranks, intervals, p-values and their correction; whether two results differ by more than chance,
 * and whether two benchmarks rank models alike.
 *
 * @module statistics
 */
export {
  type AveragedTask,
  association,
  type Association,
  type AssociationMethod,
  type Averages,
  averagesOf,
  type AnswerPair,
  type AnswersCompared,
  bordaRanks,
  compareAnswers,
  comparePairs,
  compareTask,
  type Comparison,
  type Contender,
  holm,
  type Interval,
  type ItemDifferences,
  itemDifferences,
  meanIntervals,
  meanScore,
  pairedT,
  pairName,
  rankCorrelation,
  type RankCorrelation,
  type Side,
  signFlip,
  signTest,
  wilcoxon,
} from '#result/statistics'
export { type Joint, leavesOf, linkage, type LinkageMethod, rowDistances } from '#platform/linalg'
export {
  correlate,
  type CorrelateOptions,
  type Correlation,
  type CorrelationCell,
  type GroupMean,
  groupMeans,
  readHarnessFolder,
  readHolmes,
  readLedgerScores,
  type ScoreRow,
  type ScoreTable,
  type WinningRates,
  winningRates,
} from '#result/correlation'
