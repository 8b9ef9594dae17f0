/** Rows that lie as one row of lists: mteb once stored pairs so, and both ways are still about. */
import { fault } from '#core'
import type { Rows } from '../dataset.ts'
import { values } from '../values.ts'

/**
 * The rows themselves, or what a single row lists in the columns `names`. Lists of different lengths are a `task.value`
 * fault unless `ragged`.
 */
export function listedRows(rows: Rows, names: readonly string[], { ragged = false }: { ragged?: boolean } = {}): Rows {
  if (rows.rows !== 1) return rows
  const lists = names.map((name) => values(rows, name)[0])
  if (!lists.every((list) => Array.isArray(list))) return rows
  const lengths = lists.map((list) => list.length)
  if (!ragged && new Set(lengths).size > 1) {
    throw fault('task.value', {
      place: rows.place,
      what: 'the lists of the only row differ in length',
      seen: Object.fromEntries(names.map((name, i) => [name, lengths[i]])),
    })
  }
  const count = Math.max(...lengths)
  if (count === 0) throw fault('task.empty', { place: rows.place, what: 'the lists of the only row are empty' })
  return {
    ...rows,
    rows: count,
    columns: { ...rows.columns, ...Object.fromEntries(names.map((name, i) => [name, lists[i] ?? []])) },
  }
}
