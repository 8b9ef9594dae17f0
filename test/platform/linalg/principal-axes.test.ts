import { describe, expect, test } from 'vitest'
import { type Matrix, type Matrix64, matrix } from '#core'
import { covarianceOf, principalAxes, symmetricEigen, timesTransposed } from '#platform/linalg'
import { randomState } from '#platform/random'
import { goldenOf } from '../../golden-of.ts'

// NumPy: oracles/principal_axes.py
const golden = goldenOf<{
  cases: {
    name: string
    rows: number
    width: number
    count: number
    seed: number
    mean: number[]
    values: number[]
    vectors: number[][]
  }[]
}>('platform/linalg', 'principal-axes')

const draw = (count: number, seed: number): Float64Array =>
  Float64Array.from(randomState(seed).randomSample(count), (value) => value - 0.5)

/** The rows of principal_axes.py. */
function rowsOf({ name, rows, width, seed }: { name: string; rows: number; width: number; seed: number }): Matrix {
  const values = draw(rows * width, seed)
  const out = matrix(rows, width)
  for (let i = 0; i < values.length; i++) {
    const column = i % width
    const value = values[i]! / (1 + (name === 'rank-deficient' ? column % 5 : column))
    out.data[i] = name === 'constant columns' && column % 3 === 0 ? 7 : name === 'large mean' ? 1e4 + 10 * value : value
  }
  if (name === 'rank-deficient')
    for (let row = 0; row < rows; row++)
      for (let column = 5; column < width; column++)
        out.data[row * width + column] = out.data[row * width + (column % 5)]!
  return out
}

async function covarianceIn(
  rows: Matrix,
  steps: number[],
): Promise<{ rows: number; mean: Float64Array; covariance: Matrix64 }> {
  const sums = covarianceOf(rows.width)
  let from = 0
  for (const step of [...steps, rows.rows]) {
    const to = Math.min(rows.rows, from + step)
    await sums.add(matrix(to - from, rows.width, rows.data.slice(from * rows.width, to * rows.width)))
    from = to
  }
  return sums.finish()
}

/** Sine of the largest angle between a row of `wanted` and the span of `found`'s rows. */
async function angle(found: Matrix64, wanted: Matrix64): Promise<number> {
  const shares = await timesTransposed(wanted, found)
  let largest = 0
  for (let i = 0; i < wanted.rows; i++) {
    const rest = wanted.data.slice(i * wanted.width, (i + 1) * wanted.width)
    for (let k = 0; k < found.rows; k++)
      for (let j = 0; j < found.width; j++) rest[j]! -= shares[i * found.rows + k]! * found.data[k * found.width + j]!
    largest = Math.max(largest, Math.hypot(...rest))
  }
  return largest
}

describe('covariance and its axes', () => {
  test.each(golden.cases)('of $name as NumPy', async (wanted) => {
    const found = await covarianceIn(rowsOf(wanted), [7, 0, 5])
    expect(found.rows).toBe(wanted.rows)
    const offset = Math.max(1, ...wanted.mean.map(Math.abs))
    expect(Math.max(...wanted.mean.map((value, i) => Math.abs(value - found.mean[i]!)))).toBeLessThan(1e-12 * offset) // rounding of float64
    const { values, vectors } = await principalAxes(found.covariance, wanted.count)
    expect(values).toHaveLength(wanted.count)
    expect(Math.max(...wanted.values.map((value, i) => Math.abs(value - values[i]!)))).toBeLessThan(
      1e-12 * wanted.values[0]!,
    ) // rounding of float64
    const flat = Float64Array.from(wanted.vectors.flat())
    expect(await angle(vectors, { rows: wanted.vectors.length, width: wanted.width, data: flat })).toBeLessThan(1e-9) // rounding over the gap at the cut
  })

  test('columns above the width that float32 takes agree with float64 to the precision of the rows', async () => {
    const [rows, width] = [40, 4100]
    const data = matrix(
      rows,
      width,
      Float32Array.from(draw(rows * width, 3), (value) => 1e4 + value),
    )
    const { mean, covariance } = await covarianceIn(data, [30])
    const at = (i: number, j: number): number => {
      let sum = 0
      for (let row = 0; row < rows; row++)
        sum += (data.data[row * width + i]! - mean[i]!) * (data.data[row * width + j]! - mean[j]!)
      return sum / (rows - 1)
    }
    const places = [0, 1, 1023, 1024, 2500, 4095, 4099]
    const gaps = places.flatMap((i) => places.map((j) => Math.abs(covariance.data[i * width + j]! - at(i, j))))
    // variances of 1/12, each off by a few roundings of float32
    expect(Math.max(...gaps)).toBeLessThan(1e-7)
  })
})

describe('few of many axes', () => {
  const n = 1100
  const made = async (factorRows: number, scale: (row: number) => number): Promise<Matrix64> => {
    const factor = draw(factorRows * n, 11)
    for (let i = 0; i < factor.length; i++) factor[i]! *= scale(Math.floor(i / n))
    const turned = new Float64Array(factor.length)
    for (let r = 0; r < factorRows; r++) for (let i = 0; i < n; i++) turned[i * factorRows + r] = factor[r * n + i]!
    const side: Matrix64 = { rows: n, width: factorRows, data: turned }
    return { rows: n, width: n, data: await timesTransposed(side, side) }
  }

  test('have residuals below 1e-9, are orthonormal and those of the whole decomposition', async () => {
    const a = await made(n, (row) => 1 / (1 + row))
    const whole = await symmetricEigen(a)
    const { values, vectors } = await principalAxes(a, 40)
    const top = whole.values[0]!
    expect(Math.max(...values.map((value, k) => Math.abs(value - whole.values[k]!)))).toBeLessThan(1e-12 * top) // rounding
    const products = await timesTransposed(vectors, a)
    let residual = 0
    for (let k = 0; k < 40; k++)
      residual = Math.max(
        residual,
        Math.hypot(
          ...vectors.data.slice(k * n, (k + 1) * n).map((value, i) => products[k * n + i]! - values[k]! * value),
        ),
      )
    expect(residual).toBeLessThan(1e-9 * top) // what it stops at
    const gram = await timesTransposed(vectors, vectors)
    expect(Math.max(...gram.map((value, at) => Math.abs(value - (at % 41 === 0 ? 1 : 0))))).toBeLessThan(1e-12) // rounding
    for (let k = 0; k < 40; k++) {
      const axis = vectors.data.slice(k * n, (k + 1) * n)
      expect(Math.max(...axis)).toBeGreaterThanOrEqual(-Math.min(...axis))
    }
    expect((await principalAxes(a, 40)).vectors.data).toEqual(vectors.data)
  })

  test('of entries whose squares overflow or vanish are those of ordinary ones, so many times', async () => {
    const a = await made(30, () => 1)
    const { values } = await principalAxes(a, 20)
    for (const unit of [1e-200, 1e200]) {
      const far = await principalAxes({ ...a, data: a.data.map((value) => value * unit) }, 20)
      // rounding of the entries, of which 1,100 are added up
      for (let k = 0; k < 20; k++) expect(Math.abs(far.values[k]! / unit - values[k]!)).toBeLessThan(1e-12 * values[0]!)
    }
  })

  test('of a rank below their count are zeros at the end', async () => {
    const a = await made(30, () => 1)
    const { values, vectors } = await principalAxes(a, 50)
    expect(values[29]! / values[0]!).toBeGreaterThan(0.1)
    expect(Math.max(...values.subarray(30).map(Math.abs))).toBeLessThan(1e-12 * values[0]!) // rounding
    const gram = await timesTransposed(vectors, vectors)
    expect(Math.max(...gram.map((value, at) => Math.abs(value - (at % 51 === 0 ? 1 : 0))))).toBeLessThan(1e-12) // rounding
  })

  test('are all found where one value repeats more often than a block has rows', async () => {
    const data = new Float64Array(n * n)
    // 300 threes, 300 twos, ones
    for (let i = 0; i < n; i++) data[i * n + i] = i < 300 ? 3 : i < 600 ? 2 : 1
    const { values } = await principalAxes({ rows: n, width: n, data }, 65)
    expect(Math.max(...values.map((value) => Math.abs(value - 3)))).toBeLessThan(1e-12) // rounding
  })

  test('of zeros are orthonormal; of what is not finite there are none', async () => {
    const zeros: Matrix64 = { rows: n, width: n, data: new Float64Array(n * n) }
    const { values, vectors } = await principalAxes(zeros, 3)
    expect([...values]).toEqual([0, 0, 0])
    expect(Math.hypot(...vectors.data)).toBeCloseTo(Math.sqrt(3), 12)
    zeros.data[5] = NaN
    await expect(principalAxes(zeros, 3)).rejects.toMatchObject({ code: 'tensor.value' })
  })
})
