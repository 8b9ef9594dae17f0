import * as fc from 'fast-check'
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { matrix, type Matrix } from '#core'
import { randomState } from '#platform/random'
import {
  averageRanks,
  paired,
  pairedCosine,
  pairedDot,
  pairedEuclidean,
  pairedManhattan,
  pearson,
  rowNorms,
  spearman,
  timesTransposed,
  timesTransposedPlain,
  transposed,
  unitRows,
} from '#platform/linalg'
import { shared, sharedPath } from '../../shared.ts'
import { golden } from './sample-data.ts'

const holds = <Values>(property: fc.IProperty<Values>): void => fc.assert(property, { seed: 1 })

/** Pairs of oracles/linalg.py: equal, scaled, opposite, zero, tiny and huge rows among random ones. */
function pairs(): { a: Matrix; b: Matrix; gold: number[] } {
  const draws = randomState(12)
  const draw = (): Matrix =>
    matrix(
      40,
      17,
      Float32Array.from(draws.randomSample(680), (value) => value - 0.5),
    )
  const [a, b] = [draw(), draw()]
  const each = (target: Matrix, row: number, value: (k: number) => number): void => {
    for (let k = 0; k < 17; k++) target.data[row * 17 + k] = value(row * 17 + k)
  }
  each(b, 3, (k) => a.data[k] ?? 0)
  each(b, 4, (k) => 2 * (a.data[k] ?? 0))
  each(b, 5, (k) => -(a.data[k] ?? 0))
  each(a, 6, () => 0)
  each(a, 7, () => 0)
  each(b, 7, () => 0)
  each(a, 8, (k) => (a.data[k] ?? 0) * Math.fround(1e-8))
  each(b, 9, (k) => (b.data[k] ?? 0) * 1e4)
  return { a, b, gold: Array.from(draws.randomSample(40), (value) => roundHalfEven(value * 4)) }
}

function roundHalfEven(value: number): number {
  return Math.abs(value % 1) === 0.5 ? 2 * Math.round(value / 2) : Math.round(value)
}

/** Largest relative difference; 3e-7 is two and a half float32 units, what another order of summation moves. */
function relativeGap(ours: ArrayLike<number>, theirs: readonly number[]): number {
  return Math.max(...theirs.map((value, i) => Math.abs((ours[i] ?? NaN) - value) / Math.max(Math.abs(value), 1)))
}

describe('paired similarities as scikit-learn 1.8 on float32', () => {
  test.each([
    ['cosine', pairedCosine],
    ['manhattan', pairedManhattan],
    ['euclidean', pairedEuclidean],
    ['dot', pairedDot],
  ] as const)('%s', (name, similarity) => {
    const { a, b } = pairs()
    expect(relativeGap(similarity(a, b), golden.paired[name])).toBeLessThan(3e-7)
  })
  test('equal and scaled rows have exactly the similarity the reference gives them', () => {
    const { a, b } = pairs()
    const cosine = pairedCosine(a, b)
    expect([3, 6, 7].map((i) => cosine[i])).toEqual([3, 6, 7].map((i) => golden.paired.cosine[i]))
  })
  test('correlations and ranks', () => {
    const { a, b, gold } = pairs()
    expect(Math.abs(pearson(gold, pairedDot(a, b)) - golden.paired.pearson)).toBeLessThan(1e-7) // dot products differ by a float32 unit
    expect(Math.abs(spearman(gold, pairedDot(a, b)) - golden.paired.spearman)).toBeLessThan(1e-12)
    expect(Array.from(averageRanks(gold))).toEqual(golden.paired.ranks)
  })
  test('the unit dot product of a zero row is 0, where the cosine says one half', () => {
    const { a, b } = pairs()
    const { unitDot, cosine } = paired(a, b, ['unitDot', 'cosine'])
    expect([unitDot[6], cosine[6]]).toEqual([0, 0.5])
  })
})

describe('laws', () => {
  const numbers = fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 3, maxLength: 40 })
  test('ranks sum to n(n+1)/2 and keep the order', () =>
    holds(
      fc.property(numbers, (values) => {
        const ranks = averageRanks(values)
        expect(ranks.reduce((sum, rank) => sum + rank, 0)).toBe((values.length * (values.length + 1)) / 2)
        values.forEach((value, i) =>
          values.forEach((other, j) =>
            expect(Math.sign((ranks[i] ?? 0) - (ranks[j] ?? 0))).toBe(Math.sign(value - other) || 0),
          ),
        )
      }),
    ))
  test('spearman does not change under an increasing map, and turns sign when one side is reversed', () =>
    holds(
      fc.property(fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 3, maxLength: 30 }), (values) => {
        const other = values.map((value, i) => (value * 7 + i * i) % 13)
        const rho = spearman(values, other)
        if (Number.isNaN(rho)) return
        expect(
          spearman(
            values.map((value) => value ** 3),
            other,
          ),
        ).toBeCloseTo(rho, 12)
        expect(
          spearman(
            values,
            other.map((value) => -value),
          ),
        ).toBeCloseTo(-rho, 12)
      }),
    ))
  test('a constant or missing side has no correlation', () => {
    expect(pearson([1, 2, 3], [5, 5, 5])).toBeNaN()
    expect(spearman([1, 1, 1], [1, 2, 3])).toBeNaN()
    expect(spearman([1, NaN, 2], [1, 2, 3])).toBeNaN()
    expect(pearson([1], [2])).toBeNaN()
  })
  test('unit rows have length 1, zero rows stay zero', () => {
    const units = unitRows(pairs().a)
    rowNorms(units).forEach((norm, i) =>
      expect([6, 7].includes(i) ? norm : Math.abs(norm - 1) < 2e-7 && 1).toBe([6, 7].includes(i) ? 0 : 1),
    )
  })
  test('products agree with the definition for every edge size', async () => {
    const draws = randomState(5)
    for (const [m, n, k] of [
      [1, 1, 1],
      [4, 4, 3],
      [5, 7, 2],
      [8, 3, 9],
      [3, 8, 1],
      [6, 6, 0],
      [0, 4, 3],
    ] as const) {
      const a = { rows: m, width: k, data: draws.randomSample(m * k) }
      const b = { rows: n, width: k, data: draws.randomSample(n * k) }
      const want = Array.from({ length: m * n }, (_, at) =>
        Array.from(
          { length: k },
          (_, t) => (a.data[Math.floor(at / n) * k + t] ?? 0) * (b.data[(at % n) * k + t] ?? 0),
        ).reduce((sum, value) => sum + value, 0),
      )
      expect(Array.from(timesTransposedPlain(a, b))).toEqual(want)
      expect(Array.from(await timesTransposed(a, b))).toEqual(want)
      expect(transposed(transposed(a))).toEqual(a)
    }
  })
  test('a large product through the engine agrees with plain loops', async () => {
    const draws = randomState(6)
    const a = { rows: 130, width: 101, data: draws.randomSample(130 * 101) }
    const b = { rows: 90, width: 101, data: draws.randomSample(90 * 101) }
    expect(relativeGap(await timesTransposed(a, b), Array.from(timesTransposedPlain(a, b)))).toBeLessThan(1e-14 * 101)
    const [a32, b32] = [a, b].map(({ rows, width, data }) => ({ rows, width, data: Float32Array.from(data) })) as [
      typeof a & { data: Float32Array },
      typeof b & { data: Float32Array },
    ]
    expect(relativeGap(await timesTransposed(a32, b32), Array.from(timesTransposedPlain(a32, b32)))).toBeLessThan(1e-6) // float32 sums of 101 terms
  })
})

describe.skipIf(!shared)('vectors of specs/mteb_test_vectors.json', () => {
  test('correlations with ties', () => {
    const { spearman_pearson: want } = JSON.parse(
      readFileSync(sharedPath('specs', 'mteb_test_vectors.json'), 'utf8'),
    ) as {
      spearman_pearson: { gold: number[]; pred: number[]; spearman: number; pearson: number }
    }
    expect(spearman(want.gold, want.pred)).toBeCloseTo(want.spearman, 14)
    expect(pearson(want.gold, want.pred)).toBeCloseTo(want.pearson, 14)
  })
  test('cosine of zero rows', () => {
    const { paired_cosine_zero_rows: want } = JSON.parse(
      readFileSync(sharedPath('specs', 'mteb_test_vectors.json'), 'utf8'),
    ) as {
      paired_cosine_zero_rows: { A: number[][]; B: number[][]; similarity: number[] }
    }
    const [a, b] = [want.A, want.B].map((rows) => matrix(rows.length, 3, Float32Array.from(rows.flat()))) as [
      Matrix,
      Matrix,
    ]
    expect(Array.from(pairedCosine(a, b))).toEqual(want.similarity.map(Math.fround))
  })
})
