/**
 * correlation: whether two benchmarks rank models the same way.
 *
 * In: leaderboards of Holmes, folders of lm-evaluation-harness, results of Strata. Out: tables of scores, means of
 * groups, winning rates, correlations.
 * Never: computing a score, counting a missing score as a low one.
 */
export { correlate, type CorrelateOptions, type Correlation, type CorrelationCell } from './correlate.ts'
export { readHarnessFolder } from './harness-folder.ts'
export { readLedgerScores } from './ledger-scores.ts'
export { readHolmes } from './holmes-leaderboard.ts'
export { type RankingSides, rankingTables, regrouped, writeRankings } from './rankings.ts'
export { groupMeans, type GroupMean, type ScoreRow, type ScoreTable } from './score-table.ts'
export { winningRates, type WinningRates } from './winning-rates.ts'
