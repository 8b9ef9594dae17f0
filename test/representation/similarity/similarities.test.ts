import { describe, expect, test } from 'vitest'
import { type Matrix, matrix, takeRows } from '#core'
import { timesTransposed } from '#platform/linalg'
import { randomState } from '#platform/random'
import {
  drawnRows,
  layerSimilarity,
  similarities,
  similaritiesNamed,
  similarityLaws,
  type Similarity,
  transformed,
} from '#representation/similarity'
import { goldenOf } from '../../golden-of.ts'

interface Golden {
  cases: { data: { n: number; widths: number[]; seed: number }; values: Record<string, number[][]> }[]
}

// oracles/similarity.py
const golden = goldenOf<Golden>('representation/similarity', 'similarity')

/** The same draws as the script's. */
function drawn({ n, widths, seed }: Golden['cases'][number]['data']): Matrix[] {
  const random = randomState(seed)
  const even = (count: number): Float64Array => random.randomSample(count).map((value) => value - 0.5)
  const base = even(n * 6)
  return widths.map((width) => {
    const [mix, noise, shift] = [even(6 * width), even(n * width), even(width)]
    return matrix(
      n,
      width,
      Float32Array.from({ length: n * width }, (_, at) => {
        const [i, k] = [Math.floor(at / width), at % width]
        let sum = 0
        for (let j = 0; j < 6; j++) sum += (base[i * 6 + j] ?? NaN) * (mix[j * width + k] ?? NaN)
        return sum + 0.7 * (noise[at] ?? NaN) + 3 * (shift[k] ?? NaN)
      }),
    )
  })
}

/** 0.1 is no sum of few powers of two: its mean over the texts is not quite itself. */
const constant = (rows: number, width: number): Matrix => matrix(rows, width, new Float32Array(rows * width).fill(0.1))

const laws = similarityLaws()

describe.each(Object.values<Similarity>(similarities))('$name', (similarity) => {
  test.each(laws.filter(({ concerns }) => concerns?.(similarity) !== false))('$law', async ({ hold }) =>
    expect(await hold(similarity)).toBeUndefined(),
  )

  const [case1, , case3] = golden.cases
  const layers = drawn(case1?.data ?? { n: 1, widths: [], seed: 0 })
  const [first = matrix(0, 0)] = layers
  const pair = async (x: Matrix, y: Matrix): Promise<number> => (await similarity.between([x], [y]))[0] ?? NaN

  test.each(golden.cases.filter(({ values }) => similarity.name in values))(
    'is what the plain definition gives, $data',
    async ({ data, values }) => {
      const want = values[similarity.name]?.flat() ?? []
      const got = await similarity.between(drawn(data))
      expect(got).toHaveLength(want.length)
      // float32 products of centred columns leave some 1e-7
      want.forEach((value, at) =>
        expect(Math.abs((got[at] ?? NaN) - value)).toBeLessThan(2e-6 * Math.max(1, Math.abs(value))),
      )
    },
  )

  test('is within its range, and the same both ways where it is symmetric', async () => {
    for (const { data } of golden.cases.filter(
      ({ data: { widths } }) => similarity.widths === 'any' || new Set(widths).size === 1,
    )) {
      const own = drawn(data)
      const values = await similarity.between(own, own)
      values.forEach((value, at) => {
        expect(value).toBeGreaterThanOrEqual(similarity.range[0] - 1e-9)
        expect(value).toBeLessThanOrEqual(similarity.range[1] + 1e-6)
        const mirrored = values[(at % own.length) * own.length + Math.floor(at / own.length)] ?? NaN
        expect(similarity.symmetric ? value : mirrored).toBeCloseTo(mirrored, 6)
      })
    }
  })

  test('a constant layer gives a number', async () => {
    const still = constant(first.rows, first.width)
    for (const value of [await pair(still, first), await pair(first, still), await pair(still, still)])
      expect(Number.isFinite(value)).toBe(true)
    // those of variance find none in it
    const ofVariance = [
      'cka',
      'cka_debiased',
      'cka_rbf',
      'distance_correlation',
      'svcca',
      'pwcca',
      'procrustes',
    ].includes(similarity.name)
    expect(ofVariance ? await pair(still, first) : 0).toBe(0)
  })

  test.runIf(similarity.widths === 'equal')('refuses layers whose coordinates are not the same ones', async () => {
    await expect(pair(first, drawn(case3?.data ?? { n: 1, widths: [], seed: 0 })[0] ?? first)).rejects.toMatchObject({
      code: 'usage.conflict',
    })
  })
})

describe('many texts of many coordinates', () => {
  const [n, width] = [1100, 1500]
  const random = randomState(5)
  const base = random.randomSample(n * 8).map((value) => value - 0.5)
  const layerOf = (): Matrix => {
    const [mix, noise] = [random.randomSample(8 * width), random.randomSample(n * width)]
    const at = (i: number, k: number): number => {
      let sum = 3 + 0.5 * (noise[i * width + k] ?? NaN)
      for (let j = 0; j < 8; j++) sum += (base[i * 8 + j] ?? NaN) * (mix[j * width + k] ?? NaN)
      return sum
    }
    return matrix(
      n,
      width,
      Float32Array.from({ length: n * width }, (_, k) => at(Math.floor(k / width), k % width)),
    )
  }
  const [x, y] = [layerOf(), layerOf()]
  const gramOf = async ({ data }: Matrix): Promise<Float64Array> => {
    const means = new Float64Array(width)
    data.forEach((value, at) => (means[at % width] = (means[at % width] ?? 0) + value / n))
    const centred = { rows: n, width, data: Float64Array.from(data, (value, at) => value - (means[at % width] ?? NaN)) }
    return timesTransposed(centred, centred)
  }

  test('have the alignment of their Gram matrices, biased and not', async () => {
    const [k, l] = [await gramOf(x), await gramOf(y)]
    const biased = (a: Float64Array, b: Float64Array): number =>
      a.reduce((sum, value, at) => sum + value * (b[at] ?? NaN), 0)
    const bare = (a: Float64Array): Float64Array => a.map((value, at) => (at % (n + 1) === 0 ? 0 : value))
    const rows = (a: Float64Array): Float64Array =>
      Float64Array.from({ length: n }, (_, i) => a.subarray(i * n, (i + 1) * n).reduce((sum, value) => sum + value, 0))
    const unbiased = (a: Float64Array, b: Float64Array): number => {
      const [p, q] = [bare(a), bare(b)]
      const [sumP, sumQ] = [rows(p), rows(q)]
      const whole = (sums: Float64Array): number => sums.reduce((sum, value) => sum + value, 0)
      return (
        biased(p, q) +
        (whole(sumP) * whole(sumQ)) / ((n - 1) * (n - 2)) -
        (2 / (n - 2)) * sumP.reduce((sum, value, i) => sum + value * (sumQ[i] ?? NaN), 0)
      )
    }
    for (const [name, inner] of [
      ['cka', biased],
      ['cka_debiased', unbiased],
    ] as const) {
      const wanted = inner(k, l) / Math.sqrt(inner(k, k) * inner(l, l))
      // products of float32: 1e-7 of themselves, and the unbiased estimate is a difference of such
      expect(Math.abs(((await similarities[name].between([x], [y]))[0] ?? NaN) - wanted)).toBeLessThan(2e-6)
      expect((await similarities[name].between([x, y]))[1]).toBeCloseTo(wanted, 5)
    }
  })
})

describe('the vectors of the specification', () => {
  const sines = matrix(
    12,
    20,
    Float32Array.from({ length: 240 }, (_, at) => Math.sin(0.7 * (Math.floor(at / 20) + 1) * ((at % 20) + 1))),
  )
  const exact = (i: number, j: number): number => Math.sin(0.7 * i * j)
  const waves = matrix(
    12,
    20,
    Float32Array.from({ length: 240 }, (_, at) => {
      const [i, j] = [Math.floor(at / 20) + 1, (at % 20) + 1]
      return Math.cos(0.3 * i + 0.5 * j) + 0.5 * exact(i, j)
    }),
  )
  // 1e-6: inputs are float32 here, of some 3e-8 relative error each
  test.each([
    ['cka', 0.30608781],
    ['rsa', 0.11666841],
    ['jaccard', 0.22222222],
    ['distance_correlation', 0.71406363],
    ['correlation', 0.46464464],
    ['cosine', 0.45641744],
  ] as const)('%s', async (name, want) => {
    expect(Math.abs(((await similarities[name].between([sines], [waves]))[0] ?? NaN) - want)).toBeLessThan(1e-6)
  })
})

describe('equals', () => {
  const along = (axes: readonly number[], width = 2): Matrix =>
    matrix(
      axes.length,
      width,
      Float32Array.from({ length: axes.length * width }, (_, at) =>
        Number(axes[Math.floor(at / width)] === at % width),
      ),
    )
  const pair = async (similarity: Similarity, x: Matrix, y: Matrix): Promise<number> =>
    (await similarity.between([x], [y]))[0] ?? NaN

  test('the first of equal coordinates is among the largest', async () => {
    // of ten coordinates one is the largest: all of a text of ones are, so that the first counts
    const ones = matrix(1, 10, new Float32Array(10).fill(1))
    expect(await pair(similarities.jaccard, ones, along([0], 10))).toBe(1)
    expect(await pair(similarities.jaccard, ones, along([9], 10))).toBe(0)
  })

  test('larger ones come before the first of equals, −0 equals 0', async () => {
    const row = (values: Readonly<Record<number, number>>): Matrix =>
      matrix(
        1,
        30,
        Float32Array.from({ length: 30 }, (_, at) => values[at] ?? -9),
      )
    // three of thirty count: the largest at 20, then the first two of the zeros
    const tied = row({ 20: 5, 2: -0, 9: 0, 15: 0, 25: 0 })
    expect(await pair(similarities.jaccard, tied, row({ 2: 1, 9: 1, 20: 1 }))).toBe(1)
    expect(await pair(similarities.jaccard, tied, row({ 9: 1, 15: 1, 20: 1 }))).toBe(0.5)
  })

  test('the first of equally near texts are neighbours', async () => {
    // 10 of 11 others are near, so that each text leaves one out. x: texts 0 and 11 point one way, 1 … 10 the other:
    // 0 leaves out 10 (11 is nearest, then come 1 … 9), 1 … 10 leave out 11, and 11 leaves out 10. y: 10 alone points
    // elsewhere, so that all leave it out, and it leaves out 11. Shares in common: 1, nine times 0.9, 1, 1.
    const x = along([0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0])
    const y = along([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0])
    expect(await pair(similarities.mutual_knn, x, y)).toBeCloseTo((3 + 9 * 0.9) / 12, 14)
  })
})

describe('trials', () => {
  const { data } = golden.cases[0] ?? { data: { n: 1, widths: [], seed: 0 } }
  const layers = drawn(data)
  const take = (rows: Int32Array): Matrix[] => layers.map((layer) => takeRows(layer, rows))

  test('few texts are taken whole, once; more are drawn without replacement by the seed', () => {
    expect(drawnRows(5)).toEqual([Int32Array.of(0, 1, 2, 3, 4)])
    const draws = drawnRows(100, { sampleSize: 30, trials: 4, seed: 7 })
    expect(draws.map((rows) => new Set(rows).size)).toEqual([30, 30, 30, 30])
    expect(draws).toEqual(drawnRows(100, { sampleSize: 30, trials: 4, seed: 7 }))
    expect(draws[0]).not.toEqual(draws[1])
    expect(draws).not.toEqual(drawnRows(100, { sampleSize: 30, trials: 4, seed: 8 }))
  })

  test('mean and population deviation are those of the trials', async () => {
    const options = { sampleSize: 40, trials: 3, seed: 42 }
    const got = (await layerSimilarity([similarities.cka], { texts: data.n, x: take }, options)).get('cka')
    const each = await Promise.all(drawnRows(data.n, options).map((rows) => similarities.cka.between(take(rows))))
    const values = each.map((one) => one[1] ?? NaN)
    const mean = values.reduce((sum, value) => sum + value, 0) / 3
    expect(got?.mean[1]).toBeCloseTo(mean, 12)
    expect(got?.std[1]).toBeCloseTo(Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / 3), 12)
    expect(got?.std[1]).toBeGreaterThan(0)
    expect(got?.std[0]).toBeCloseTo(0, 12)
  })

  test('of two models, row by row of the first', async () => {
    const got = (
      await layerSimilarity([similarities.cka], { texts: data.n, x: take, y: (rows) => take(rows).slice(0, 2) })
    ).get('cka')
    expect([got?.rows, got?.columns, got?.mean.length]).toEqual([3, 2, 6])
  })

  test('a vector that is not finite names its text', async () => {
    const broken = matrix(3, 2, Float32Array.of(1, 2, 3, NaN, 5, 6))
    await expect(layerSimilarity([similarities.cka], { texts: 3, x: () => [broken] })).rejects.toMatchObject({
      code: 'task.value',
      message: expect.stringContaining('text 2') as string,
    })
  })

  test('no texts, and a name that is none, are refused', async () => {
    await expect(layerSimilarity([similarities.cka], { texts: 0, x: () => [] })).rejects.toMatchObject({
      code: 'usage.value',
    })
    expect(similaritiesNamed('cka, RSA,CKA').map(({ name }) => name)).toEqual(['cka', 'rsa'])
    expect(similaritiesNamed('all')).toHaveLength(12)
    expect(() => similaritiesNamed('ckaa')).toThrow(/cka/)
  })
})

describe('transforms', () => {
  const values = Float64Array.of(1, 0.5, 0.5, 1.0000000001)
  test('arccos, log and row sums', () => {
    expect([...transformed(values, 2, 'arccos')]).toEqual([0, Math.acos(0.5), Math.acos(0.5), 0])
    expect([...transformed(Float64Array.of(1, 0, -1, Math.E), 2, 'log')]).toEqual([
      0,
      Math.log(1e-10),
      Math.log(1e-10),
      1,
    ])
    expect([...transformed(Float64Array.of(1, 2, 3, 4), 2, 'row-sum')]).toEqual([4, 2, 3, 11])
  })
})
