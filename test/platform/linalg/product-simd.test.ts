import { expect, test } from 'vitest'
import { timesTransposedPlain } from '../../../src/platform/linalg/product-plain.ts'
import { timesTransposedSmall } from '../../../src/platform/linalg/product-simd.ts'
import { sameBits } from '../wasm/same-bits.ts'

/** size: numbers of the first factor, in rows of `width`; whatever is left over is not used. */
const step =
  (width: number, others: number, values: 'floats' | 'doubles') =>
  (draw: { size: number; floats: (name: string) => Float32Array; doubles: (name: string) => Float64Array }) => {
    const rows = Math.floor(draw.size / width)
    const from = draw[values]('a')
    const cut = (count: number, at: number): Float32Array | Float64Array =>
      values === 'floats'
        ? Float32Array.from({ length: count }, (_, i) => from[(i + at) % Math.max(1, draw.size)] ?? 0)
        : Float64Array.from({ length: count }, (_, i) => from[(i + at) % Math.max(1, draw.size)] ?? 0)
    const [a, b] = [
      { rows, width, data: cut(rows * width, 0) },
      { rows: others, width, data: cut(others * width, 7) },
    ]
    return { kernel: { product: timesTransposedSmall(a, b) }, loop: { product: timesTransposedPlain(a, b) } }
  }

sameBits(
  'platform/linalg/product-simd.ts',
  { lanes: 4, chunk: 60 },
  {
    'one column': step(1, 3, 'doubles'),
    'an odd number of columns': step(5, 7, 'doubles'),
    'an even number of columns': step(6, 4, 'doubles'),
    float32: step(3, 5, 'floats'),
    'few rows': step(4, 2, 'doubles'),
  },
)

test('what lies in memory from before is not counted, and memory that is given is used', () => {
  const filled = (rows: number, width: number, value: number) => ({
    rows,
    width,
    data: new Float64Array(rows * width).fill(value),
  })
  timesTransposedSmall(filled(9, 9, Infinity), filled(9, 9, NaN))
  const into = new Float64Array(15)
  expect(timesTransposedSmall(filled(3, 3, 2), filled(5, 3, 1), into)).toBe(into)
  expect(Array.from(into)).toEqual(Array.from({ length: 15 }, () => 6))
})

test('a product that is too large for the kernel is the same', () => {
  const drawn = (rows: number) => ({
    rows,
    width: 700,
    data: Float64Array.from({ length: rows * 700 }, (_, i) => Math.sin(i)),
  })
  expect(timesTransposedSmall(drawn(400), drawn(3))).toEqual(timesTransposedPlain(drawn(400), drawn(3)))
})
