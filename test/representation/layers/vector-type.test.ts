import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { matrix } from '#core'
import { toCodes, typed } from '../../../src/representation/layers/vector-type.ts'

interface Golden {
  readonly rows: readonly (readonly number[])[]
  readonly starts: readonly number[]
  readonly ends: readonly number[]
  readonly codes: Readonly<Record<string, readonly (readonly number[])[]>>
}
/** sentence-transformers: oracles/vector_types.py. */
const golden = JSON.parse(readFileSync(join(import.meta.dirname, 'golden', 'vector-types.json'), 'utf8')) as Golden

describe('codes of quantize_embeddings, bit by bit', () => {
  test.each(Object.entries(golden.codes))('%s', (name, expected) => {
    const [digits, type] = name.split(' ') as [string, 'int8' | 'uint8' | 'binary' | 'ubinary']
    const width = Number(digits)
    const rows = golden.rows.map((row) => row.slice(0, width))
    const vectors = matrix(rows.length, width, Float32Array.from(rows.flat()))
    const ranges = {
      starts: Float32Array.from(golden.starts.slice(0, width)),
      ends: Float32Array.from(golden.ends.slice(0, width)),
    }
    expect([...toCodes(typed(vectors, type, ranges), type)]).toEqual(expected.flat())
  })
})

test('values beyond the ranges are the nearest end', () => {
  const ranges = { starts: Float32Array.of(-1, -1), ends: Float32Array.of(1, 1) }
  expect([...typed(matrix(1, 2, Float32Array.of(-3, 3)), 'int8', ranges).data]).toEqual([-128, 127])
  expect([...typed(matrix(1, 2, Float32Array.of(-3, 3)), 'uint8', ranges).data]).toEqual([0, 255])
})

test('float16 rounds to the nearest, a value that is not finite is NaN in every type of codes', () => {
  expect([...typed(matrix(1, 2, Float32Array.of(1 + 2 ** -12, 0.1)), 'float16').data]).toEqual([1, 0.0999755859375])
  expect([...typed(matrix(1, 2, Float32Array.of(Infinity, 1)), 'binary').data]).toEqual([NaN, 1])
})
