/** Vectors that a text determines, for every slot: what was stored can be told from what was not. */
import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { Fault } from '#core'
import type { Slot, VectorSpace } from '#platform/vectors'

/** The row of a text under a slot. */
function vectorOf(text: string, slot: number, width: number): Float32Array {
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

export const numbered = (count: number, prefix = 'text'): string[] =>
  Array.from({ length: count }, (_, i) => `${prefix} ${i}`)

export async function put(space: VectorSpace, texts: readonly string[]): Promise<void> {
  await space.append(texts, vectorsOf(texts, space.slots))
}

/** Reads every slot of the texts and compares bit by bit. */
export async function expectExact(space: VectorSpace, texts: readonly string[]): Promise<void> {
  const expected = vectorsOf(texts, space.slots)
  for (const [slot, { name, width }] of space.slots.entries()) {
    const read = await space.read(name, texts)
    expect([read.rows, read.width]).toEqual([texts.length, width])
    expect(read.data).toEqual(expected[slot])
  }
}

export async function blocksOf(root: string, space: string): Promise<string[]> {
  return (await readdir(join(root, space)))
    .filter((name) => name.endsWith('.block'))
    .map((name) => join(root, space, name))
}

export async function codeOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => 'no fault',
    (error: unknown) => (error instanceof Fault ? error.code : error),
  )
}
