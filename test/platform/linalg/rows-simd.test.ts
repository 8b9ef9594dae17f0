import { expect, test } from 'vitest'
import { matrix, type Matrix } from '#core'
import { paired, rowNorms, unitRows } from '#platform/linalg'
import { randomState } from '#platform/random'
import { eachRowBlock } from '../../../src/platform/linalg/rows-simd.ts'
import { type Draw, sameBits } from '../wasm/same-bits.ts'

const f32 = Math.fround
const sides = [0, 1] as const

/** Σ over the numbers of each row of what `term` makes of two numbers and the divisors of their rows. */
function sums([a, b]: readonly [Matrix, Matrix], term: (x: number, y: number, row: number) => number): Float64Array {
  return Float64Array.from({ length: a.rows }, (_, row) => {
    let sum = 0
    for (let at = row * a.width; at < (row + 1) * a.width; at++) sum += term(a.data[at] ?? NaN, b.data[at] ?? NaN, row)
    return sum
  })
}

/** As many rows as `size` numbers are, of two matrices, and divisors of all kinds for the rows of each. */
function drawn({ size, floats }: Draw, width: number): { both: readonly [Matrix, Matrix]; divisors: Float32Array[] } {
  const rows = Math.floor(size / width)
  const [a, b] = sides.map((k) => matrix(rows, width, floats(`${k}`).subarray(0, rows * width))) as [Matrix, Matrix]
  // no row is divided by 0, which would make the numbers that fill it up NaN
  const divisorsOf = (k: number): Float32Array =>
    floats(`divisors ${k}`)
      .subarray(0, rows)
      .map((value) => (value === 0 ? 1 : value))
  return { both: [a, b], divisors: sides.map(divisorsOf) }
}

/** All that a block can do, put together from all blocks. */
function byKernel(
  both: readonly [Matrix, Matrix],
  divisors: readonly Float32Array[],
): Record<string, ArrayLike<number>> {
  const found: Record<string, number[]> = {}
  const quotients = new Float32Array(both[0].data.length)
  eachRowBlock(
    both,
    (block, from, rows) => {
      const keep = (name: string, values: Float64Array): void =>
        void (found[name] ??= []).push(...values.subarray(0, rows))
      for (const k of sides) {
        keep(`squares ${k}`, block.squares(k))
        block.scales[k].set(divisors[k]?.subarray(from, from + rows) ?? [])
      }
      keep('products', block.products())
      block.distances().forEach((values, k) => keep(`distances ${k}`, values))
      block.quotients().forEach((values, k) => keep(`quotients ${k}`, values))
      block.divide()
    },
    quotients,
  )
  return { ...found, divided: quotients }
}

function byLoops(
  both: readonly [Matrix, Matrix],
  [s = new Float32Array(), t = new Float32Array()]: readonly Float32Array[],
): Record<string, ArrayLike<number>> {
  const [{ rows, width, data }] = both
  const quotient = (value: number, scales: Float32Array, row: number): number => f32(value / (scales[row] ?? NaN))
  const all = {
    'squares 0': sums(both, (x) => x * x),
    'squares 1': sums(both, (_, y) => y * y),
    products: sums(both, (x, y) => f32(x * y)),
    'distances 0': sums(both, (x, y) => Math.abs(f32(x - y))),
    'distances 1': sums(both, (x, y) => f32(x - y) ** 2),
    'quotients 0': sums(both, (x, y, row) => f32(quotient(x, s, row) - quotient(y, t, row)) ** 2),
    'quotients 1': sums(both, (x, y, row) => f32(quotient(x, s, row) * quotient(y, t, row))),
  }
  return {
    ...(rows === 0 ? {} : all),
    divided: Float32Array.from(data, (value, at) => quotient(value, s, Math.floor(at / width))),
  }
}

/** Numbers of a block. */
const chunk = 2 ** 13
sameBits(
  'platform/linalg/rows-simd.ts',
  { lanes: 4, chunk },
  Object.fromEntries(
    [1, 3, 4, 10, 17].map((width) => [
      `width ${width}`,
      (draw) => {
        const { both, divisors } = drawn(draw, width)
        return { kernel: byKernel(both, divisors), loop: byLoops(both, divisors) }
      },
    ]),
  ),
)

test('long, short and zero rows are divided by what scikit-learn and PyTorch divide them by', () => {
  const [rows, width] = [4100, 5]
  const draws = randomState(4)
  const [a, b] = sides.map(() => {
    const scales = draws.randomSample(rows).map((value) => (value < 0.1 ? 0 : 10 ** Math.floor(30 * value - 20)))
    const values = draws.randomSample(rows * width)
    return matrix(
      rows,
      width,
      Float32Array.from(values, (value, at) => (value - 0.5) * (scales[Math.floor(at / width)] ?? 0)),
    )
  }) as [Matrix, Matrix]
  const [normsA, normsB] = [a, b].map((side) => sums([side, side], (x) => x * x).map((sum) => f32(Math.sqrt(f32(sum)))))
  const quotients = (divisor: (norm: number) => number) => (x: number, y: number, row: number) =>
    [f32(x / divisor(normsA?.[row] ?? NaN)), f32(y / divisor(normsB?.[row] ?? NaN))] as const
  const units = quotients((norm) => f32(Math.max(norm, 1e-12)))
  const ofCosine = quotients((norm) => (norm < 10 * 2 ** -23 ? 1 : norm))
  const { cosine, unitDot } = paired(a, b, ['cosine', 'unitDot'])
  const gaps = sums([a, b], (...pair) => {
    const [x, y] = ofCosine(...pair)
    return f32(x - y) ** 2
  })
  const products = sums([a, b], (...pair) => {
    const [x, y] = units(...pair)
    return f32(x * y)
  })
  expect(cosine).toEqual(Float32Array.from(gaps, (sum) => 1 - f32(0.5 * f32(sum))))
  expect(unitDot).toEqual(Float32Array.from(products))
  expect(rowNorms(a)).toEqual(Float32Array.from(normsA ?? []))
  expect(unitRows(a).data).toEqual(Float32Array.from(a.data, (value, at) => units(value, 0, Math.floor(at / width))[0]))
})
