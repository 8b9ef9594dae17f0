/** Rows that are written together, by what is kept of them. */
import { expect, test } from 'vitest'
import type { ModelSpec } from '#model/architectures'
import { rowsTogether } from '../../../src/model/language/rows-together.ts'

const shape = (layers: number, keyHeads: number, headWidth: number): ModelSpec =>
  ({ blocks: Array.from({ length: layers }, () => ({ attention: { keyHeads, headWidth } })) }) as unknown as ModelSpec

test.each([
  ['a small model: 32', shape(6, 4, 32), 200, 32],
  ['its long texts: 32 · 1,024 tokens', shape(6, 4, 32), 8192, 4],
  ['a longer one than that alone', shape(6, 4, 32), 100_000, 1],
  // 22 · 2 · 32 · 64 · 4 = 360,448 bytes a token
  ['a billion parameters: 2 ^ 30 bytes', shape(22, 32, 64), 500, 5],
  ['with grouped heads an eighth of that', shape(22, 4, 64), 500, 32],
  ['one row, however much it keeps', shape(80, 64, 128), 4096, 1],
  ['a recurrence keeps nothing of its tokens', shape(48, 0, 0), 500, 32],
])('%s', (_, spec, length, rows) => {
  expect(rowsTogether(spec, length, 1024)).toBe(rows)
})
