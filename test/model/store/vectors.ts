/** Vectors that a text determines, for every slot: what was stored can be told from what was not. */
import { createHash } from 'node:crypto'
import type { Slot } from '../../../src/model/store/index.ts'

/** The row of a text under a slot. */
export function vectorOf(text: string, slot: number, width: number): Float32Array {
  const seed = createHash('sha256').update(`${slot}\0${text}`).digest()
  return Float32Array.from({ length: width }, (_, column) => seed.readInt32LE((column % 8) * 4) * 2 ** -31 + column)
}

/** One [texts × width] array a slot. */
export function vectorsOf(texts: readonly string[], slots: readonly Slot[]): Float32Array[] {
  return slots.map(({ width }, slot) => {
    const out = new Float32Array(texts.length * width)
    texts.forEach((text, i) => out.set(vectorOf(text, slot, width), i * width))
    return out
  })
}
