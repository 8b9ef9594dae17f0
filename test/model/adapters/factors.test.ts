import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { loraFactors, type Factors } from '#model/adapters'

const matrixOf = (
  rows: number,
  width: number,
  values: readonly number[],
): { rows: number; width: number; data: Float64Array } => ({
  rows,
  width,
  data: Float64Array.from(values),
})

function product({ a, b, rank }: Factors, rows: number, width: number): number[] {
  const out: number[] = []
  for (let i = 0; i < rows; i++)
    for (let j = 0; j < width; j++)
      out.push(Array.from({ length: rank }, (_, k) => b[i * rank + k]! * a[k * width + j]!).reduce((x, y) => x + y, 0))
  return out
}

const gap = (got: readonly number[], want: readonly number[]): number =>
  Math.max(...want.map((value, i) => Math.abs(got[i]! - value)))

// merge_vectors.json, `lora-extract-rank1-product`
const base = [0.5, -0.25, 0, 1, -0.5, 0.125]
const tuned = [0.75, -0.375, 0.5, 0.25, -0.4375, 0.5]
const change = matrixOf(
  2,
  3,
  tuned.map((value, i) => value - base[i]!),
)
const rankOne = [
  0.015556931942271519, -0.00134063843832819, -0.007513101312302387, -0.7548318244356458, 0.06504859454723974,
  0.3645402571522079,
]
const values = [0.8409472421336682, 0.5726814000365101]

/** Matrices of any shape with entries in [−1, 1]. */
const matrices = fc
  .record({ rows: fc.integer({ min: 1, max: 9 }), width: fc.integer({ min: 1, max: 9 }) })
  .chain(({ rows, width }) =>
    fc
      .array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: rows * width, maxLength: rows * width })
      .map((data) => matrixOf(rows, width, data)),
  )

describe('factors of a change', () => {
  test('rank one is the recorded product, with either way to place the scale', async () => {
    for (const distribute of [true, false]) {
      const factors = await loraFactors(change, { maxRank: 1, distribute })
      // factors are float32: half a unit in the last place on either side of entries below one
      expect(gap(product(factors, 2, 3), rankOne)).toBeLessThan(1e-6)
      expect(factors.kept).toBeCloseTo(values[0]! ** 2, 10)
      expect(factors.total).toBeCloseTo(values[0]! ** 2 + values[1]! ** 2, 10)
    }
  })

  test('the scale lies on both sides, or all of it on A', async () => {
    const norms = async (distribute: boolean): Promise<[number, number]> => {
      const { a, b } = await loraFactors(change, { maxRank: 1, distribute })
      return [Math.hypot(...a), Math.hypot(...b)]
    }
    const [a, b] = await norms(true)
    expect(a).toBeCloseTo(Math.sqrt(values[0]!), 6)
    expect(b).toBeCloseTo(Math.sqrt(values[0]!), 6)
    const [all, none] = await norms(false)
    expect(all).toBeCloseTo(values[0]!, 6)
    expect(none).toBeCloseTo(1, 6)
  })

  test('full rank is the change itself', async () => {
    await fc.assert(
      fc.asyncProperty(matrices, async (matrix) => {
        const factors = await loraFactors(matrix, { maxRank: 128 })
        expect(factors.rank).toBe(Math.min(matrix.rows, matrix.width))
        // nine terms of float32 factors that are at most √9 in size
        expect(gap(product(factors, matrix.rows, matrix.width), [...matrix.data])).toBeLessThan(5e-6)
      }),
      { numRuns: 60 },
    )
  })

  test('no other product of the rank is nearer: what is left over is the rest of the singular values', async () => {
    await fc.assert(
      fc.asyncProperty(matrices, fc.integer({ min: 1, max: 4 }), async (matrix, maxRank) => {
        const factors = await loraFactors(matrix, { maxRank })
        const left = product(factors, matrix.rows, matrix.width).reduce(
          (sum, value, i) => sum + (matrix.data[i]! - value) ** 2,
          0,
        )
        // squares of rounding errors of float32, over at most 81 entries
        expect(Math.abs(left - (factors.total - factors.kept))).toBeLessThan(1e-4 * (1 + factors.total))
      }),
      { numRuns: 60 },
    )
  })

  test('small singular values stay out, but one rank remains', async () => {
    expect((await loraFactors(change, { maxRank: 8, epsilon: 0.6 })).rank).toBe(1)
    expect((await loraFactors(change, { maxRank: 8, epsilon: 0.5 })).rank).toBe(2)
    const none = await loraFactors(change, { maxRank: 8, epsilon: 10 })
    expect(none.rank).toBe(1)
    expect(none.kept).toBe(0)
    expect([...none.a, ...none.b].every((value) => value === 0)).toBe(true)
  })

  test('no change gives zeros of the rank that was asked', async () => {
    const factors = await loraFactors(
      matrixOf(
        3,
        5,
        Array.from({ length: 15 }, () => 0),
      ),
      { maxRank: 2 },
    )
    expect(factors.rank).toBe(2)
    expect([...factors.a, ...factors.b].every((value) => value === 0)).toBe(true)
  })
})
