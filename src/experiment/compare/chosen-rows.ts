/** Finds the results that the references of a comparison mean. */
import { fault } from '#core'
import { type Identity, rowMeant } from '#result/report'

/**
 * One row per reference, in order. Throws `usage.value` for a reference without results, with results of several
 * revisions, or given twice.
 */
export function chosenRows(rows: readonly Identity[], references: readonly string[], place: string): Identity[] {
  const chosen: Identity[] = []
  for (const reference of references) {
    const one = rowMeant(rows, reference, { place })
    if (chosen.includes(one)) throw fault('usage.value', { place, what: 'this is named twice', seen: reference })
    chosen.push(one)
  }
  return chosen
}
