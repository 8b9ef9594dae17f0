/** Numbers in the cells of a table: those of a .csv are texts. */
import { fault } from '#core'

/** Throws `usage.value` for a cell that is no finite number. */
export function toNumber(cell: unknown, place: string): number {
  const value = typeof cell === 'string' && cell.trim() !== '' ? Number(cell) : cell
  if (typeof value === 'number' && Number.isFinite(value)) return value
  throw fault('usage.value', { place, what: 'is no number', seen: JSON.stringify(cell) })
}
