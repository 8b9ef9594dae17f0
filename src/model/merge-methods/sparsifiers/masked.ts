/**
 * A sparsifier by bits. Where the tensor is sparsified in several passes the bits of the first are remembered: to draw
 * them costs more than anything else that is done to an element.
 */
import { bitsFrom, bitsTo } from './bits.ts'
import { applyMask, maskWords } from './mask.ts'
import type { Sparsifier, SparsifierOptions } from './sparsifier.ts'

/** Writes which of the elements `offset` … `offset + length − 1` stay, a bit each, from bit 0. */
export type Draw = (bits: Uint32Array, delta: Float64Array, offset: number, length: number) => void

/** Bits of a tensor, of all inputs together, above which they would take more memory than they are worth: 64 MiB. */
const mostBits = 2 ** 29

export function masked(
  { task: { count, inputs }, again }: Pick<SparsifierOptions, 'task' | 'again'>,
  factor: number,
  draw: Draw,
): Sparsifier {
  const memory = again && count * inputs <= mostBits ? new Uint32Array(maskWords(count) + 1) : undefined
  let bits = new Uint32Array(0)
  let pass = 0
  return {
    passes: [],
    sparsify(delta, offset, length) {
      if (offset === 0) pass++
      if (bits.length <= maskWords(length)) bits = new Uint32Array(maskWords(length) + 1)
      if (memory !== undefined && pass > 1) bitsFrom(memory, offset, length, bits)
      else {
        draw(bits, delta, offset, length)
        if (memory !== undefined) bitsTo(memory, offset, 1, length, bits)
      }
      applyMask(delta, length, bits, factor)
    },
  }
}
