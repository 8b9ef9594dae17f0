/**
 * Scores as they came: a row a probe or a task, a column a model, null where there is none. Raw values; ranks are made
 * where they are asked for.
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
  /** What was there and does not count, a sentence each. */
  readonly notices: readonly string[]
}

/** Names in order of first sight. */
export function groupsOf({ rows }: ScoreTable): string[] {
  return [...new Set(rows.map(({ group }) => group))]
}

export interface GroupMean {
  readonly group: string
  /** A model each: the plain mean over the rows it has; null of none. */
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
