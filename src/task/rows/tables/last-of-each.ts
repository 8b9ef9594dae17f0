/**
 * The last row of every id, at the place of the id's first, as in a Python dictionary. For more ids than a JavaScript
 * map holds (2²⁴).
 */

/** Rows in the order in which their ids first occur; undefined when no id occurs twice. */
export function lastOfEach(ids: readonly string[]): Uint32Array | undefined {
  // open addressing: a slot holds 0, or 1 + the number of an id
  const slots = new Uint32Array(2 ** Math.ceil(Math.log2(Math.max(8, 1.5 * ids.length))))
  const mask = slots.length - 1
  const last = new Uint32Array(ids.length)
  let count = 0
  ids.forEach((id, row) => {
    let slot = hash(id) & mask
    let known = slots[slot] ?? 0
    while (known !== 0 && ids[last[known - 1] ?? 0] !== id) {
      slot = (slot + 1) & mask
      known = slots[slot] ?? 0
    }
    if (known === 0) {
      known = ++count
      slots[slot] = known
    }
    last[known - 1] = row
  })
  return count === ids.length ? undefined : last.subarray(0, count)
}

/**
 * FNV-1a over UTF-16 units, its bits mixed once more: ids that differ in their last digit only must not lie in a row.
 */
function hash(text: string): number {
  let state = 0x811c9dc5
  for (let i = 0; i < text.length; i++) state = Math.imul(state ^ text.charCodeAt(i), 0x01000193)
  state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d)
  return state ^ (state >>> 13)
}
