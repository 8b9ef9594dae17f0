/** Which results are meant by the references of a comparison. */
import { fault } from '#core'
import { type Identity, rowMeant } from '#result/report'

/**
 * One of each reference, in their order. Throws `usage.value` for one that has no results, or those of several
 * revisions, and for one that is there twice.
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
