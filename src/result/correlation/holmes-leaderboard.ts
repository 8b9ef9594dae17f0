/** A leaderboard of Holmes or Flash-Holmes at one training portion. */
import { fault } from '#core'
import { holmesLeaderboard } from '#result/ledger'
import type { ScoreTable } from './score-table.ts'

/**
 * Without a portion the largest. Probes without a competency are left out and told. Throws what the leaderboard does,
 * `table.empty` for a portion that is not there.
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
