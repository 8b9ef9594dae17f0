/** A thinner by bits. Where the tensor is thinned in several passes the bits of the first are remembered: to draw them costs more than anything else that is done to an element. */
import { applyMask, maskWords } from './mask.ts'
import type { Thinner, ThinnerOptions } from './sparsifier.ts'

/** Writes which of the elements `offset` … `offset + length − 1` stay, a bit each, from bit 0. */
export type Draw = (bits: Uint32Array, delta: Float64Array, offset: number, length: number) => void

/** Bits of a tensor, of all inputs together, above which they would take more memory than they are worth: 64 MiB. */
const mostBits = 2 ** 29

export function masked({ task: { count, inputs }, again }: Pick<ThinnerOptions, 'task' | 'again'>, factor: number, draw: Draw): Thinner {
  const memory = again && count * inputs <= mostBits ? new Uint32Array(maskWords(count) + 1) : undefined
  let bits = new Uint32Array(0)
  let pass = 0
  return {
    looks: [],
    thin(delta, offset, length) {
      if (offset === 0) pass++
      if (bits.length < maskWords(length) + 1) bits = new Uint32Array(maskWords(length) + 1)
      if (memory !== undefined && pass > 1) recall(memory, offset, length, bits)
      else {
        draw(bits, delta, offset, length)
        if (memory !== undefined) remember(memory, offset, length, bits)
      }
      applyMask(delta, length, bits, factor)
    },
  }
}

/** Stretches begin anywhere within a word; they come in order, so that what lies beyond the end is written over by the next one. */
function remember(memory: Uint32Array, offset: number, length: number, bits: Uint32Array): void {
  const [first, shift] = [Math.floor(offset / 32), offset % 32]
  const count = maskWords(length)
  if (shift === 0) return memory.set(bits.subarray(0, count), first)
  let carried = memory[first]! & (2 ** shift - 1)
  for (let i = 0; i < count; i++) {
    memory[first + i] = carried | (bits[i]! << shift)
    carried = bits[i]! >>> (32 - shift)
  }
  memory[first + count] = carried
}

function recall(memory: Uint32Array, offset: number, length: number, bits: Uint32Array): void {
  const [first, shift] = [Math.floor(offset / 32), offset % 32]
  const count = maskWords(length)
  if (shift === 0) return bits.set(memory.subarray(first, first + count))
  for (let i = 0; i < count; i++) bits[i] = (memory[first + i]! >>> shift) | (memory[first + i + 1]! << (32 - shift))
}
