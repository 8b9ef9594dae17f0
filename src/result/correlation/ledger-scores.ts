/** Results of this program as one side: every task of every model, for one representation. */
import { fault, mean, suggestion } from '#core'
import { listResults } from '#result/ledger'
import type { ScoreTable } from './score-table.ts'

/**
 * Results of Strata as a table of scores, one row per task, one column per model, for a representation as results name
 * it (`default`, `logits`, `h6`). The group of a task is the first word of its name. Perplexities are negated, so that
 * higher is better on either side. Throws `result.invalid` where nothing is found, `usage.value` for a representation
 * that no result has.
 *
 * @example
 * ```ts
 * import { readLedgerScores } from 'strata-lm/statistics'
 *
 * const { models, rows } = await readLedgerScores('results', 'default')
 * console.log(models, rows[0]?.name, rows[0]?.values[0]?.toFixed(3))
 * // → [ 'sentence-transformers/all-MiniLM-L6-v2' ] STS17 0.876
 * ```
 */
export async function readLedgerScores(folder: string, representation: string): Promise<ScoreTable> {
  const all = (await listResults(folder, { status: 'ok' })).filter(({ result }) => result !== undefined)
  if (all.length === 0) throw fault('result.invalid', { place: folder, what: 'no results in it' })
  const known = [...new Set(all.map((one) => one.representation))]
  if (!known.includes(representation))
    throw fault('usage.value', {
      place: folder,
      what: 'no result of this representation',
      seen: representation,
      wanted: known,
      hint: suggestion(representation, known),
    })
  const scores = new Map<string, Map<string, number>>()
  const notices: string[] = []
  for (const one of all.filter((own) => own.representation === representation)) {
    const values = Object.values(one.result?.scores ?? {}).flatMap((parts) =>
      parts.flatMap(({ main_score: score, higher_is_better: higher }) => {
        if (score === null) return []
        return higher === false ? -score : score
      }),
    )
    if (values.length === 0) {
      notices.push(`${one.model} ${one.task}: no score`)
      continue
    }
    const own = scores.get(one.task) ?? new Map<string, number>()
    if (own.has(one.model))
      notices.push(`${one.model} ${one.task}: several revisions; the last one counts, ${one.revision}`)
    own.set(one.model, mean(values))
    scores.set(one.task, own)
  }
  const models = [...new Set([...scores.values()].flatMap((own) => [...own.keys()]))]
  return {
    models,
    rows: [...scores].map(([name, own]) => ({
      name,
      group: /^[^-_]*/.exec(name)?.[0] ?? name,
      values: models.map((model) => own.get(model) ?? null),
    })),
    notices,
  }
}
