/** A leaderboard of Holmes or Flash-Holmes at one training portion. */
import { fault } from '#core'
import { holmesLeaderboard } from '#result/ledger'
import type { ScoreTable } from './score-table.ts'

/**
 * A leaderboard of Holmes as a table of scores, one row per probe, one column per model. `portion` is the share of the
 * training rows, by default the largest one in the table. Probes without a competency are left out, with a notice.
 * Throws `table.column`, `table.read`, and `table.empty` for a portion that the table does not have.
 *
 * @example
 * ```ts
 * import { readHolmes } from 'strata-lm/statistics'
 *
 * const { models, rows } = await readHolmes('holmes.csv')
 * console.log(models) // → [ 'org/a', 'org/b', 'org/c', 'org/d' ]
 * for (const { name, group } of rows) console.log(group, name)
 * // → syntax blimp-adjunct_island
 * // → morphology upos
 * ```
 */
export async function readHolmes(
  path: string,
  { portion }: { portion?: number | undefined } = {},
): Promise<ScoreTable> {
  const { models, rows } = await holmesLeaderboard(path)
  const portions = [...new Set(rows.map((row) => row.portion))].sort((a, b) => a - b)
  const chosen = portion ?? portions.at(-1)
  const own = rows.filter((row) => row.portion === chosen)
  if (own.length === 0)
    throw fault('table.empty', {
      place: path,
      what: 'no probe of this training portion',
      seen: chosen,
      wanted: portions,
    })
  const unplaced = own.filter(({ subfield }) => subfield === '').map(({ dataSet }) => dataSet)
  const notices = unplaced.length === 0 ? [] : [`probes without a competency, left out: ${unplaced.join(', ')}`]
  if (portions.length > 1) notices.push(`training portion ${chosen} of ${portions.join(', ')}`)
  return {
    models,
    rows: own
      .filter(({ subfield }) => subfield !== '')
      .map(({ dataSet, subfield, scores }) => ({ name: dataSet, group: subfield, values: scores })),
    notices,
  }
}
