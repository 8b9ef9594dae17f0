/** Sums in WebAssembly are the bits of a plain loop over the widened table. */
import { describe, expect, test } from 'vitest'
import { type Dtype } from '#core'
import { narrow, widen } from '#files/formats'
import { sameBits } from '../../platform/wasm/same-bits.ts'
import { summedTable, type SumKind } from '../../../src/model/static/sum-rows.ts'

const dtypes: Readonly<Record<SumKind, Dtype>> = {
  int8: 'I8',
  'weighted int8': 'I8',
  halves: 'F16',
  float16: 'F16',
  float32: 'F32',
}
const kinds = Object.keys(dtypes) as SumKind[]
const isWeighted = (kind: SumKind): boolean => kind !== 'int8' && kind !== 'halves'

let state = 1
/** A sequence of numbers in −1 … 1 (Park and Miller's generator). */
const random = (): number => (state = (state * 48_271) % 0x7fffffff) / 0x3fffffff - 1

function made(kind: SumKind, rows: number, width: number) {
  const values = Float32Array.from({ length: rows * width }, () => random() * (dtypes[kind] === 'I8' ? 127 : 3))
  const bytes = narrow(values, dtypes[kind])
  const table = summedTable(kind, rows, width)
  table.bytes.set(bytes)
  return { table, values: widen(bytes.slice(), dtypes[kind]) }
}

/** Row after row, as NumPy adds up: in float32 for halves, otherwise in float64. */
function plainSums(
  kind: SumKind,
  values: Float32Array,
  { width, rows, weights }: Entries & { width: number },
): number[] {
  const round = kind === 'halves' ? Math.fround : (value: number): number => value
  return Array.from({ length: width }, (_, i) =>
    rows.reduce(
      (sum, row, k) => round(sum + (values[row * width + i] ?? 0) * (isWeighted(kind) ? (weights[k] ?? 0) : 1)),
      0,
    ),
  )
}

interface Entries {
  readonly rows: Uint32Array
  readonly weights: Float64Array
}
const entriesOf = (count: number, rows: number): Entries => ({
  rows: Uint32Array.from({ length: count }, () => Math.floor(((random() + 1) / 2) * rows) % rows),
  weights: Float64Array.from({ length: count }, () => Math.fround(random())),
})

describe.each(kinds)('sums of %s', (kind) => {
  test.each([1, 2, 3, 7, 15, 16, 17, 31, 32, 33, 64, 100, 129])('rows of %i numbers', (width) => {
    const { table, values } = made(kind, 9, width)
    for (const count of [1, 2, 13]) {
      const entries = entriesOf(count, 9)
      expect([...table.sum(entries, count)]).toEqual(plainSums(kind, values, { ...entries, width }))
    }
    const last = { rows: Uint32Array.of(8), weights: Float64Array.of(1) }
    expect([...table.sum(last, 1)]).toEqual([...values.subarray(8 * width)])
  })

  test.each([2047, 2048, 2049, 5000])('%i rows', (count) => {
    const { table, values } = made(kind, 40, 20)
    const entries = entriesOf(count, 40)
    expect([...table.sum(entries, count)]).toEqual(plainSums(kind, values, { ...entries, width: 20 }))
  })

  test('only the first entries count, and nothing stays of an earlier sum', () => {
    const { table, values } = made(kind, 3, 5)
    const entries = entriesOf(4, 3)
    table.sum(entries, 4)
    const shorter = { rows: entries.rows.subarray(0, 2), weights: entries.weights.subarray(0, 2) }
    expect([...table.sum(entries, 2)]).toEqual(plainSums(kind, values, { ...shorter, width: 5 }))
  })
})

test('every float16 is widened exactly', () => {
  const all = Uint16Array.from({ length: 65_536 }, (_, i) => i)
  const expected = widen(new Uint8Array(all.buffer), 'F16')
  for (const kind of ['float16', 'halves'] as const) {
    const table = summedTable(kind, 2048, 32)
    table.bytes.set(new Uint8Array(all.buffer))
    const sums = Array.from({ length: 2048 }, (_, row) => [
      ...table.sum({ rows: Uint32Array.of(row), weights: Float64Array.of(1) }, 1),
    ])
    // 0 + −0 is 0
    expect(sums.flat()).toEqual(Array.from(expected, (value) => value + 0))
  }
})

test('the largest and smallest int8 do not overflow', () => {
  const table = summedTable('int8', 2, 3)
  table.bytes.set(Uint8Array.of(127, 127, 127, 128, 128, 128))
  const rows = Uint32Array.from({ length: 100_000 }, (_, i) => Number(i >= 60_000))
  expect([...table.sum({ rows, weights: new Float64Array(100_000) }, 100_000)]).toEqual(
    Array.from({ length: 3 }, () => 60_000 * 127 - 40_000 * 128),
  )
})

sameBits(
  'model/static/sum-rows.ts',
  { lanes: 4, chunk: 32, least: 1 },
  {
    float32: ({ size, floats }) => {
      const [x, y, weights] = [floats('x'), floats('y'), Float64Array.of(0.7, -0.4)]
      const table = summedTable('float32', 2, size)
      new Float32Array(table.bytes.buffer, table.bytes.byteOffset, 2 * size).set([...x, ...y])
      return {
        kernel: { sums: table.sum({ rows: Uint32Array.of(0, 1), weights }, 2).slice() },
        loop: { sums: Float64Array.from(x, (value, i) => 0 + 0.7 * value + -0.4 * (y[i] ?? 0)) },
      }
    },
  },
)
