/** A leaderboard of Holmes or Flash-Holmes at one training portion, or the scores that an evaluation of Holmes wrote. */
import { fault } from '#core'
import { holmesEvaluation, holmesLeaderboard, type HolmesProbe } from '#result/ledger'
import type { ScoreTable } from './score-table.ts'

/**
 * A leaderboard of Holmes as a table of scores, one row per probe, one column per model. `portion` is the share of the
 * training rows, by default the largest one in the table. Probes without a competency are left out, with a notice. The
 * output of an evaluation (`results_<version>.csv`) knows no competencies: its probes are one group. Throws `table.column`, `table.read`, and `table.empty` for a portion that the table does not have.
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
  const probes = await holmesEvaluation(path)
  if (probes !== undefined) return evaluationTable(probes, { path, portion })
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

/** Frozen models under linear probes, as leaderboards have them; controls and other probes are left out. */
function evaluationTable(
  probes: readonly HolmesProbe[],
  { path, portion }: { readonly path: string; readonly portion: number | undefined },
): ScoreTable {
  if (portion !== undefined)
    throw fault('usage.conflict', {
      place: '--portion',
      what: `${path} is the output of one evaluation, which has no training portions`,
      hint: 'leave it out',
    })
  const plain = probes.filter(({ apart }) => apart.length === 0)
  if (plain.length === 0)
    throw fault('table.empty', { place: path, what: 'no probe of a frozen model without a control' })
  const models = [...new Set(plain.map(({ model }) => model))]
  const scores = new Map(plain.map(({ model, dataSet, score }) => [JSON.stringify([model, dataSet]), score]))
  const left = probes.length - plain.length
  return {
    models,
    rows: [...new Set(plain.map(({ dataSet }) => dataSet))].map((name) => ({
      name,
      group: 'probes',
      values: models.map((model) => scores.get(JSON.stringify([model, name])) ?? null),
    })),
    notices: [
      `${path} knows no competencies: all of its probes are one group`,
      ...(left === 0 ? [] : [`${left} scores of controls and other probes are left out`]),
    ],
  }
}
