/** Finds the results that the references of a comparison mean. */
import { fault, suggestion } from '#core'
import { type Identity, rowsMeant } from '#result/report'

/**
 * One row per reference, in order. Throws `usage.value` for a reference without results, with results of several
 * revisions, or given twice.
 */
export function chosenRows(rows: readonly Identity[], references: readonly string[], place: string): Identity[] {
  const chosen: Identity[] = []
  for (const reference of references) {
    const meant = rowsMeant(rows, reference)
    const [one, ...others] = meant
    if (one === undefined)
      throw fault('usage.value', {
        place,
        what: 'no results of this',
        seen: reference,
        hint: suggestion(
          reference,
          rows.map(({ model, representation }) => `${model}#${representation}`),
        ),
      })
    if (others.length > 0)
      throw fault('usage.value', {
        place,
        what: 'several rows match',
        seen: reference,
        wanted: meant.map(({ model, revision, representation }) => `${model}@${revision}#${representation}`).join(', '),
      })
    if (chosen.includes(one)) throw fault('usage.value', { place, what: 'this is named twice', seen: reference })
    chosen.push(one)
  }
  return chosen
}
