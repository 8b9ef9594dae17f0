/** Mean winning rate of Holmes: how high a model ranks on each probe. It depends on the set of models compared. */
import { mean } from '#core'
import { kendall } from '#platform/linalg'
import { groupsOf, type ScoreTable } from './score-table.ts'

export interface WinningRates {
  readonly models: readonly string[]
  /** From 0 to 1, one per model. */
  readonly all: readonly number[]
  readonly groups: Readonly<Record<string, readonly number[]>>
  /**
   * For each row that counts, Kendall's τ-b between its scores and `all`: does the row rank the models as the whole
   * table does? NaN for a constant row.
   */
  readonly discriminability: readonly { readonly name: string; readonly tau: number }[]
  /** Rows with a missing score: they do not count. */
  readonly dropped: readonly string[]
}

/**
 * Mean winning rate of every model: ranks per row, ascending, ties at the largest, scaled to 0 … 1; then the plain mean
 * over the complete rows. In a constant row every model scores 0.
 *
 * @example
 * ```ts
 * import { readHolmes, winningRates } from 'strata-lm/statistics'
 *
 * console.log(winningRates(await readHolmes('holmes.csv')).all.map((rate) => rate?.toFixed(2)))
 * // → [ '0.00', '0.33', '0.83', '0.83' ]
 * ```
 */
export function winningRates(table: ScoreTable): WinningRates {
  const whole = table.rows.filter(({ values }) => !values.includes(null))
  const scaled = whole.map(({ group, values }) => ({
    group,
    rates: scaledRanks(values.flatMap((value) => value ?? [])),
  }))
  const over = (rows: typeof scaled): number[] =>
    table.models.map((_, model) => mean(rows.map(({ rates }) => rates[model] ?? 0)))
  const all = over(scaled)
  return {
    models: table.models,
    all,
    discriminability: whole.map(({ name, values }) => ({
      name,
      tau: kendall(
        values.flatMap((value) => value ?? []),
        all,
      ),
    })),
    groups: Object.fromEntries(
      groupsOf({ ...table, rows: whole }).map((name) => [name, over(scaled.filter(({ group }) => group === name))]),
    ),
    dropped: table.rows.filter(({ values }) => values.includes(null)).map(({ name }) => name),
  }
}

function scaledRanks(values: readonly number[]): number[] {
  const ranks = values.map((value) => values.filter((other) => other <= value).length)
  const [low, high] = [Math.min(...ranks), Math.max(...ranks)]
  return ranks.map((rank) => (high > low ? (rank - low) / (high - low) : 0))
}
