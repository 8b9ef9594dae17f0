import { expect, test } from 'vitest'
import type { Matrix64 } from '#core'
import { solvePositive, solveSparseRidge, type SparseRows, sparseTimes } from '#platform/linalg'
import { randomState } from '#platform/random'

const draws = randomState(5)

/** A row has three entries in columns below `used`. */
function sparse(rows: number, width: number, used: number): SparseRows {
  const columns = Array.from({ length: rows }, () => draws.choice(used, 3, { replace: false })).flat()
  return {
    rows,
    width,
    starts: Int32Array.from({ length: rows + 1 }, (_, i) => 3 * i),
    columns: Int32Array.from(columns),
    values: draws.randomSample(3 * rows),
  }
}

function dense({ rows, width, starts, columns, values }: SparseRows): Matrix64 {
  const data = new Float64Array(rows * width)
  for (let i = 0; i < rows; i++)
    for (let e = starts[i] ?? 0; e < (starts[i + 1] ?? 0); e++)
      data[i * width + (columns[e] ?? 0)] = (data[i * width + (columns[e] ?? 0)] ?? 0) + (values[e] ?? 0)
  return { rows, width, data }
}

/** Columns of a as rows of aᵀ · b */
function timesFromLeft(a: Matrix64, b: Matrix64): Float64Array {
  const out = new Float64Array(a.width * b.width)
  for (let i = 0; i < a.rows; i++)
    for (let j = 0; j < a.width; j++)
      for (let k = 0; k < b.width; k++)
        out[j * b.width + k] =
          (out[j * b.width + k] ?? 0) + (a.data[i * a.width + j] ?? 0) * (b.data[i * b.width + k] ?? 0)
  return out
}

const c = sparse(40, 12, 10)
const y: Matrix64 = { rows: 40, width: 4, data: draws.randomSample(160).map((value) => value - 0.5) }

test('a sparse product is the dense one', () => {
  const x = draws.randomSample(12 * 4)
  const whole = dense(c)
  const products = Array.from({ length: 40 * 4 }, (_, at) => {
    const [i, k] = [Math.floor(at / 4), at % 4]
    return Array.from({ length: 12 }, (__, j) => (whole.data[i * 12 + j] ?? 0) * (x[j * 4 + k] ?? 0)).reduce(
      (a, b) => a + b,
      0,
    )
  })
  sparseTimes(c, { width: 4, data: x }).forEach((value, i) => expect(value).toBeCloseTo(products[i] ?? NaN, 12))
})

test.each([100, 1, 0.01])('the solution is that of the normal equations, ridge %s', async (ridge) => {
  const whole = dense(c)
  const normal: Matrix64 = { rows: 12, width: 12, data: timesFromLeft(whole, whole) }
  for (let j = 0; j < 12; j++) normal.data[j * 13] = (normal.data[j * 13] ?? 0) + ridge
  const right = timesFromLeft(whole, y)
  const transposed = {
    rows: 4,
    width: 12,
    data: Float64Array.from(right, (_, at) => right[(at % 12) * 4 + Math.floor(at / 12)] ?? 0),
  }
  const { solution } = await solvePositive(normal, transposed)
  const x = await solveSparseRidge(c, y, { ridge, tolerance: 1e-12 })
  x.forEach((value, at) => expect(value).toBeCloseTo(solution[(at % 4) * 12 + Math.floor(at / 4)] ?? NaN, 9))
})

test('columns without entries stay at zero, and another start ends at the same place', async () => {
  const options = { ridge: 0.1, tolerance: 1e-10 }
  const x = await solveSparseRidge(c, y, options)
  expect(x.subarray(10 * 4).every((value) => value === 0)).toBe(true)
  const from = await solveSparseRidge(c, y, { ...options, ridge: 5 })
  const again = await solveSparseRidge(c, y, { ...options, from })
  again.forEach((value, i) => expect(value).toBeCloseTo(x[i] ?? NaN, 7))
})

test('nothing to explain needs nothing', async () => {
  const nothing = { rows: 40, width: 4, data: new Float64Array(160) }
  expect([...(await solveSparseRidge(c, nothing, { ridge: 1 }))].every((value) => value === 0)).toBe(true)
})
