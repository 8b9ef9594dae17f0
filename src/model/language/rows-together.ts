/** How many texts are written together: as many as fit in memory with the keys and values of their tokens. */
import type { ModelSpec } from '#model/architectures'

const mostRows = 32
/**
 * Bytes of keys and values. They are there once, and one block's joined to the new ones at a time; twice while room is
 * made or rows end.
 */
const mostKept = 2 ** 30

/** Rows of `length` tokens, prompt and answer; one at least. `budget`: tokens of a row as if there were `mostRows`. */
export function rowsTogether({ blocks }: Pick<ModelSpec, 'blocks'>, length: number, budget: number): number {
  // a recurrence keeps as much of a long text as of a short one
  const columns = blocks.reduce((sum, { attention }) => sum + 2 * attention.keyHeads * attention.headWidth, 0)
  const perToken = columns * Float32Array.BYTES_PER_ELEMENT
  return Math.max(
    1,
    Math.min(mostRows, Math.floor((budget * mostRows) / length), Math.floor(mostKept / (perToken * length))),
  )
}
