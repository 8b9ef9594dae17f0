/**
 * Raw scores: one row per probe or task, one column per model, null for a missing score. Ranks are computed by those
 * who need them.
 */
import { meanOfAll } from '#core'
export interface ScoreRow {
  readonly name: string
  /** Competency of a probe, group of a task. */
  readonly group: string
  readonly values: readonly (number | null)[]
}

export interface ScoreTable {
  /** `org/name`. */
  readonly models: readonly string[]
  readonly rows: readonly ScoreRow[]
  /** Files and cells that do not count, one sentence each. */
  readonly notices: readonly string[]
}

/** Names in order of first appearance. */
export function groupsOf({ rows }: ScoreTable): string[] {
  return [...new Set(rows.map(({ group }) => group))]
}

export interface GroupMean {
  readonly group: string
  /** One value per model: the plain mean over the rows that it has; null when it has none. */
  readonly values: readonly (number | null)[]
}

/**
 * The mean of every group of rows, per model; null where a model has no score in it.
 *
 * @example
 * ```ts
 * import { groupMeans, readHolmes } from 'strata-lm/statistics'
 *
 * for (const { group, values } of groupMeans(await readHolmes('holmes.csv'))) console.log(group, ...values)
 * // → syntax 0.61 0.7 0.78 0.74
 * // → morphology 0.8 0.84 0.9 0.91
 * ```
 */
export function groupMeans(table: ScoreTable): GroupMean[] {
  return groupsOf(table).map((group) => {
    const own = table.rows.filter((row) => row.group === group)
    return {
      group,
      values: table.models.map((_, model) => meanOfAll(own.flatMap(({ values }) => values[model] ?? []))),
    }
  })
}
