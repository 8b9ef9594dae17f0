import type { Matrix64 } from '#core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  polar,
  scaleColumns,
  solvePositive,
  svd,
  symmetricEigen,
  symmetricValues,
  timesTransposedPlain,
  transposed,
} from '#platform/linalg'
import { randomState } from '#platform/random'
import { goldenOf } from '../../golden-of.ts'

const random = (rows: number, width: number, seed: number): Matrix64 => ({
  rows,
  width,
  data: Float64Array.from(randomState(seed).randomSample(rows * width), (value) => value - 0.5),
})
const times = (a: Matrix64, b: Matrix64): Matrix64 => ({
  rows: a.rows,
  width: b.rows,
  data: timesTransposedPlain(a, b),
})
const gap = (a: ArrayLike<number>, b: ArrayLike<number>): number => {
  let largest = a.length === b.length ? 0 : Infinity
  for (let i = 0; i < a.length; i++) largest = Math.max(largest, Math.abs(a[i]! - b[i]!))
  return largest
}
const identity = (n: number): Float64Array =>
  Float64Array.from({ length: n * n }, (_, i) => (i % (n + 1) === 0 ? 1 : 0))
/** How far columns are from orthonormal. */
const skew = (q: Matrix64): number => gap(times(transposed(q), transposed(q)).data, identity(q.width))
const rebuilt = ({ u, s, v }: { u: Matrix64; s: Float64Array; v: Matrix64 }): Float64Array =>
  times(scaleColumns(u, s), v).data

// NumPy 2.4.6: oracles/decompositions.py
const golden = goldenOf<{
  svd: { rows: number; width: number; seed: number; s: number[]; polar: number[] }[]
  eigen: { n: number; seed: number; values: number[] }[]
  solve: { n: number; rows: number; seed: number; x: number[] }[]
}>('platform/linalg', 'decompositions')

describe('singular values', () => {
  test.each(golden.svd)('of $rows × $width as NumPy', async ({ rows, width, seed, s, polar: factor }) => {
    const found = await svd(random(rows, width, seed))
    expect(gap(found.s, s)).toBeLessThan(1e-13 * s[0]!) // rounding of float64 relative to the largest
    expect(gap((await polar(random(rows, width, seed))).data, factor)).toBeLessThan(1e-9) // ε over the square of a level's share, times the condition
  })

  test('rebuild the matrix with orthonormal vectors, whatever its shape and rank', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 1, max: 60 }),
        fc.nat(1000),
        async (rows, width, rank, seed) => {
          const a = times(random(rows, rank, seed), random(width, rank, seed + 1))
          const found = await svd(a)
          expect(found.s.length).toBe(Math.min(rows, width, rank))
          expect(gap(rebuilt(found), a.data)).toBeLessThan(1e-13 * found.s[0]!)
          expect(Math.max(skew(found.u), skew(found.v))).toBeLessThan(1e-9) // ε / levelShare², times the size
          expect(Array.from(found.s).toSorted((x, y) => y - x)).toEqual(Array.from(found.s))
        },
      ),
      { numRuns: 40 },
    )
  })

  test('keep small ones that a Gram matrix alone would lose', async () => {
    const [u, v] = [await polar(random(40, 12, 1)), await polar(random(30, 12, 2))]
    const wanted = Float64Array.from({ length: 12 }, (_, i) => 10 ** -i)
    const found = await svd({ rows: 40, width: 30, data: rebuilt({ u, s: wanted, v }) })
    expect(gap(found.s.slice(0, 12), wanted)).toBeLessThan(1e-14) // rounding of the product
    expect(skew(found.u)).toBeLessThan(1e-9)
  })

  test('of zeros there are none; of NaN they are NaN', async () => {
    expect((await svd({ rows: 3, width: 2, data: new Float64Array(6) })).s).toHaveLength(0)
    expect((await svd({ rows: 3, width: 2, data: new Float64Array(6).fill(NaN) })).s[0]).toBeNaN()
  })

  test('are large enough for the engine at 300', async () => {
    const a = random(300, 280, 5)
    const found = await svd(a)
    expect(gap(rebuilt(found), a.data)).toBeLessThan(1e-12)
    expect(Math.max(skew(found.u), skew(found.v))).toBeLessThan(1e-9)
  })
})

describe('eigenvectors', () => {
  test.each(golden.eigen)('of $n × $n as NumPy', async ({ n, seed, values }) => {
    const a = random(n, n, seed)
    const both = Float64Array.from(a.data, (value, i) => value + a.data[(i % n) * n + Math.floor(i / n)]!)
    const matrix = { rows: n, width: n, data: both }
    expect(gap((await symmetricEigen(matrix)).values, values)).toBeLessThan(1e-12)
    expect(gap(await symmetricValues(matrix), values)).toBeLessThan(1e-12)
  })

  test.each<[string, (i: number, j: number) => number]>([
    ['the identity', (i, j) => (i === j ? 1 : 0)],
    ['one value many times', (i, j) => (i === j ? 2 : 0) + (i < 3 && j < 3 ? 1 : 0)],
    ['a chain of equal links (close pairs)', (i, j) => (Math.abs(i - j) === 1 ? 1 : i === j ? Math.abs(i - 50) : 0)],
    ['blocks that do not touch', (i, j) => (Math.floor(i / 10) === Math.floor(j / 10) ? 1 / (1 + i + j) : 0)],
    ['values over thirty decades', (i, j) => (i === j ? 10 ** (-i / 3) : 0)],
    ['all ones', () => 1],
  ])('of %s', async (_, entry) => {
    const n = 101
    const a = {
      rows: n,
      width: n,
      data: Float64Array.from({ length: n * n }, (_, at) => entry(Math.floor(at / n), at % n)),
    }
    const { values, vectors } = await symmetricEigen(a)
    const columns = transposed(vectors)
    expect(skew(columns)).toBeLessThan(1e-13)
    const largest = Math.max(...values.map(Math.abs))
    expect(gap(times(scaleColumns(columns, values), columns).data, a.data)).toBeLessThan(1e-13 * largest * 10)
    const few = await symmetricEigen(a, 40)
    expect(gap(few.values, values)).toBe(0)
    expect(skew(transposed(few.vectors))).toBeLessThan(1e-13)
    const scaled = transposed(scaleColumns(transposed(few.vectors), values.subarray(0, 40)))
    expect(gap(times(few.vectors, a).data, scaled.data)).toBeLessThan(1e-13 * largest * 10)
    // each is exact for a matrix that differs from this one by rounding, n steps of it
    expect(gap(await symmetricValues(a), values)).toBeLessThan(n * Number.EPSILON * largest)
  })
})

describe('eigenvectors of a matrix of several panels and strips', () => {
  const n = 531
  const root = random(n, n, 11)
  const a = times(root, root)

  test('give it back', async () => {
    const { values, vectors } = await symmetricEigen(a)
    const columns = transposed(vectors)
    expect(skew(columns)).toBeLessThan(1e-12)
    expect(gap(times(scaleColumns(columns, values), columns).data, a.data)).toBeLessThan(1e-13 * values[0]!)
  })

  test('are the first of all where fewer are asked for', async () => {
    const [all, few] = [await symmetricEigen(a), await symmetricEigen(a, 7)]
    expect(few.values).toEqual(all.values)
    expect(few.vectors.rows).toBe(7)
    expect(gap(await symmetricValues(a), all.values)).toBeLessThan(n * Number.EPSILON * all.values[0]!)
    // products of other sizes are added up in another order
    expect(gap(few.vectors.data, all.vectors.data.subarray(0, 7 * n))).toBeLessThan(1e-12)
  })
})

test.each([0, 1, 2, 3])('eigenvalues alone of a diagonal of %i zeros, of as many fives', async (n) => {
  for (const value of [0, 5]) {
    const a = {
      rows: n,
      width: n,
      data: Float64Array.from({ length: n * n }, (_, at) => (at % (n + 1) === 0 ? value : 0)),
    }
    expect(await symmetricValues(a)).toEqual(new Float64Array(n).fill(value))
  }
})

test.each([1e-200, 1e-90, 1e-20, 1e-9, 1e90, 1e200])(
  'eigenvalues of entries about %d are those of ordinary ones, so many times',
  async (unit) => {
    const n = 40
    const root = random(n, n, 5)
    const a = times(root, root)
    const { values } = await symmetricEigen(a)
    const far = { ...a, data: a.data.map((value) => value * unit) }
    for (const found of [await symmetricValues(far), (await symmetricEigen(far)).values])
      expect(
        gap(
          found.map((value) => value / unit),
          values,
        ),
      ).toBeLessThan(n * Number.EPSILON * values[0]!)
  },
)

test.each([1e-20, 1e-9])(
  'vectors of entries about %d have no residue and stand upright on each other',
  async (unit) => {
    const n = 60
    const root = random(n, n, 7)
    const a = times(root, root)
    const small = { ...a, data: a.data.map((value) => value * unit) }
    const { values, vectors } = await symmetricEigen(small)
    const images = times(vectors, small)
    // rounding of n terms, twice: once of the reduction, once of the way back
    const most = 2 * n * Number.EPSILON
    expect(
      gap(
        images.data.map(
          (value, at) => value / values[0]! - (values[Math.floor(at / n)]! / values[0]!) * vectors.data[at]!,
        ),
        new Float64Array(n * n),
      ),
    ).toBeLessThan(most)
    expect(
      gap(
        times(vectors, vectors).data,
        Float64Array.from({ length: n * n }, (_, at) => (at % (n + 1) === 0 ? 1 : 0)),
      ),
    ).toBeLessThan(most)
  },
)

describe('solving with a positive matrix', () => {
  test.each(golden.solve)('$n × $n as NumPy', async ({ n, rows, seed, x }) => {
    const root = random(n, n, seed)
    const a = times(root, root)
    for (let i = 0; i < n; i++) a.data[i * n + i]! += 1
    const { solution, ridge } = await solvePositive(a, random(rows, n, seed + 1))
    expect(gap(solution, x)).toBeLessThan(1e-12)
    expect(ridge).toBe(0)
  })

  test('a singular matrix gets a ridge, an indefinite one is refused', async () => {
    const flat = { rows: 2, width: 2, data: Float64Array.of(1, 1, 1, 1) }
    const { solution, ridge } = await solvePositive(flat, { rows: 1, width: 2, data: Float64Array.of(1, 1) })
    expect(ridge).toBeGreaterThan(0)
    expect(gap(solution, [0.5, 0.5])).toBeLessThan(1e-5)
    const indefinite = { rows: 2, width: 2, data: Float64Array.of(1, 2, 2, 1) }
    await expect(solvePositive(indefinite, { rows: 1, width: 2, data: Float64Array.of(1, 1) })).rejects.toMatchObject({
      code: 'tensor.value',
    })
  })
})
