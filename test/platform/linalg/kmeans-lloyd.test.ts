import { describe, expect, test } from 'vitest'
import { matrix, type Matrix } from '#core'
import { kmeans } from '#platform/linalg'
import { randomState } from '#platform/random'
import { goldenOf } from '../../golden-of.ts'
import { type DataShape, sampleData } from './sample-data.ts'

interface Golden {
  readonly draws: Readonly<Record<string, readonly number[]>>
  readonly cases: readonly { readonly data: DataShape; readonly clusters: number }[]
  readonly answers: readonly {
    readonly stride: number
    readonly labels: readonly number[]
    readonly inertia: number
    readonly steps: number
    readonly centre: readonly number[]
  }[]
}

// scikit-learn 1.9.1, NumPy 2.4.6: oracles/kmeans_lloyd.py
const golden = goldenOf<Golden>('platform/linalg', 'kmeans-lloyd')

const fit = (x: Matrix, clusters: number) => kmeans(x, { clusters, generator: randomState(42) })

test('weighted choices without replacement are NumPy’s', () => {
  const p = new Float32Array(40).fill(1 / 40)
  for (const [seed, drawn] of Object.entries(golden.draws))
    expect(randomState(Number(seed)).choice(40, 35, { replace: false, p })).toEqual(drawn)
})

describe('scikit-learn’s KMeans with init="random"', () => {
  const cases = golden.cases.flatMap((one, i) => {
    const answer = golden.answers[i]
    return answer === undefined ? [] : [{ ...one, answer, name: `${one.data.n} rows, ${one.clusters} clusters` }]
  })
  test.each(cases)('$name', async ({ data, clusters, answer }) => {
    const { labels, centres, inertia, steps } = await fit(sampleData(data).x, clusters)
    expect(Array.from(labels).filter((_, i) => i % answer.stride === 0)).toEqual(answer.labels)
    expect(steps).toBe(answer.steps)
    expect(Math.abs(inertia - answer.inertia)).toBeLessThanOrEqual(1e-5 * answer.inertia + 1e-6)
    const centre = centres.data.subarray((clusters - 1) * data.d)
    answer.centre.forEach((value, k) => expect(Math.abs((centre[k] ?? NaN) - value)).toBeLessThan(1e-5))
  })
})

describe('laws', () => {
  const data = { n: 300, d: 9, K: 5, seed: 3, noise: 1.5, scale: 1, unit: false }

  test('every centre is the mean of its rows, and no row is nearer to another', async () => {
    const { x } = sampleData(data)
    const { labels, centres, inertia } = await fit(sampleData(data).x, 12)
    const distances = (row: number): number[] =>
      Array.from({ length: 12 }, (_, c) =>
        Array.from(
          { length: 9 },
          (_, k) => ((x.data[row * 9 + k] ?? NaN) - (centres.data[c * 9 + k] ?? NaN)) ** 2,
        ).reduce((a, b) => a + b, 0),
      )
    let sum = 0
    labels.forEach((label, i) => {
      const own = distances(i)
      expect(own[label]).toBeLessThan(Math.min(...own) + 1e-5)
      sum += own[label] ?? NaN
    })
    expect(inertia).toBeCloseTo(sum, 3)
    for (let c = 0; c < 12; c++) {
      const rows = Array.from(labels.keys()).filter((i) => labels[i] === c)
      const mean = rows.reduce((total, i) => total + (x.data[i * 9] ?? NaN), 0) / rows.length
      // fits end before centres are quite still
      expect(Math.abs((centres.data[c * 9] ?? NaN) - mean)).toBeLessThan(0.02)
    }
  })

  test('more starts are never worse', async () => {
    const inertias = await Promise.all(
      [1, 3, 10].map(async (starts) => {
        const { x } = sampleData(data)
        return (await kmeans(x, { clusters: 12, generator: randomState(7), starts })).inertia
      }),
    )
    expect(inertias).toEqual(inertias.toSorted((a, b) => b - a))
  })

  test('fewer different rows than clusters end, and equal rows stay together', async () => {
    const few = matrix(
      40,
      1,
      Float32Array.from({ length: 40 }, (_, i) => i % 4),
    )
    const { labels } = await fit(few, 9)
    labels.forEach((label, i) => expect(label).toBe(labels[i % 4]))
  })

  test('more clusters than rows are refused, and a cancelled fit ends', async () => {
    const { x } = sampleData(data)
    await expect(fit(x, 301)).rejects.toMatchObject({ code: 'task.value' })
    const generator = randomState(42)
    await expect(kmeans(x, { clusters: 3, generator, signal: AbortSignal.abort() })).rejects.toThrow('abort')
  })
})
