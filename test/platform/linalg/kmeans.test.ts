import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { matrix } from '#core'
import { randomState } from '#platform/random'
import { type KMeans, type KMeansProfile, miniBatchKMeans } from '#platform/linalg'
import { shared, sharedPath } from '../../shared.ts'
import { type DataShape, sampleData } from './sample-data.ts'
import { goldenOf } from '../../golden-of.ts'

interface Case {
  data: Partial<DataShape> & Pick<DataShape, 'n' | 'd' | 'K' | 'seed' | 'noise'>
  clusters: number
  batch: number
  draws?: number
}
interface Answer {
  steps: number
  stride: number
  labels: number[]
  inertia: number
  sizes: number[]
}

// scikit-learn 1.2.2 (NumPy 1.26.4), 1.6.1, 1.8.0, 1.9.1 (NumPy 2.4.6): oracles/kmeans.py
const golden = goldenOf<{
  cases: Case[]
  versions: Record<string, { answers: Answer[] }>
}>('platform/linalg', 'kmeans')
const madeWith: Record<KMeansProfile, string> = { A0: '1.2.2', A: '1.6.1', A1: '1.8.0', B: '1.9.1' }

const all = (n: number): Int32Array => Int32Array.from({ length: n }, (_, i) => i)

function rowsOf({ data, draws }: Case) {
  const made = sampleData({ scale: 1, unit: true, ...data })
  return { ...made, ids: draws === undefined ? all(data.n) : Int32Array.from(made.draws.randint(0, data.n, draws)) }
}

function sizes(labels: Int32Array, clusters: number): number[] {
  const counts = Array.from({ length: clusters }, () => 0)
  for (const label of labels) counts[label] = (counts[label] ?? 0) + 1
  return counts
}

describe.each(Object.entries(madeWith) as [KMeansProfile, string][])(
  'profile %s is scikit-learn %s',
  (profile, version) => {
    const answers = golden.versions[version]?.answers ?? []
    const cases = golden.cases.flatMap((one, i) => {
      const answer = answers[i]
      return answer === undefined
        ? []
        : [{ one, answer, name: `${one.data.n} rows, ${one.data.d} wide, ${one.clusters} clusters` }]
    })
    const fit = (one: Case): Promise<KMeans> => {
      const { x, ids } = rowsOf(one)
      return miniBatchKMeans(x, ids, {
        clusters: one.clusters,
        batchSize: one.batch,
        generator: randomState(42),
        profile,
      })
    }

    test.each(cases.filter(({ one }) => one.clusters <= one.batch))('$name', async ({ one, answer }) => {
      const got = await fit(one)
      expect(got.steps).toBe(answer.steps)
      expect(Array.from(got.labels).filter((_, i) => i % answer.stride === 0)).toEqual(answer.labels)
      expect(sizes(got.labels, one.clusters)).toEqual(answer.sizes)
      // scikit-learn sums it in float32
      expect(Math.abs(got.inertia - answer.inertia)).toBeLessThanOrEqual(1e-5 * got.inertia + 1e-6)
    })

    // which of many equally empty clusters get another centre is left to NumPy's sort, which is not stable: only the
    // quality is the same
    test.each(cases.filter(({ one }) => one.clusters > one.batch))(
      '$name, more than a batch',
      async ({ one, answer }) => {
        const got = await fit(one)
        expect(Math.abs(got.inertia / answer.inertia - 1)).toBeLessThan(0.05)
      },
    )
  },
)

test.skipIf(shared === undefined)('the shared vectors', async () => {
  interface Vector {
    n_steps: number
    labels_first40: number[]
    cluster_sizes: number[]
    inertia: number
  }
  const vectors = JSON.parse(readFileSync(sharedPath('specs', 'mteb_test_vectors.json'), 'utf8')) as Record<
    string,
    Record<string, Vector>
  >
  const named = Object.entries(vectors).filter(([name]) => name.startsWith('kmeans_'))
  expect(named).toHaveLength(3)
  for (const [name, byProfile] of named) {
    const [n, d, K, seed, noise, batch] = (/_n(\d+)_d(\d+)_K(\d+)_seed(\d+)_s([\d.]+)_batch(\d+)/.exec(name) ?? [])
      .slice(1)
      .map(Number)
    const { x } = sampleData({
      n: n ?? 0,
      d: d ?? 0,
      K: K ?? 0,
      seed: seed ?? 0,
      noise: noise ?? 0,
      scale: 1,
      unit: true,
    })
    for (const [key, want] of Object.entries(byProfile)) {
      const profile = key.startsWith('profile_A_') ? 'A' : 'B'
      const got = await miniBatchKMeans(x, all(x.rows), {
        clusters: K ?? 0,
        batchSize: batch ?? 0,
        generator: randomState(42),
        profile,
      })
      expect(got.steps).toBe(want.n_steps)
      expect(Array.from(got.labels.subarray(0, 40))).toEqual(want.labels_first40)
      expect(sizes(got.labels, K ?? 0)).toEqual(want.cluster_sizes)
    }
  }
})

describe('laws', () => {
  const { x, draws } = sampleData({ n: 300, d: 9, K: 5, seed: 3, noise: 1.5, scale: 1, unit: true })
  const ids = Int32Array.from(draws.randint(0, 300, 900))
  const fit = (options = {}): Promise<KMeans> =>
    miniBatchKMeans(x, ids, { clusters: 12, batchSize: 100, generator: randomState(42), ...options })

  test('repeated numbers are rows of their own: the same as a matrix that holds them again and again', async () => {
    const copied = matrix(ids.length, x.width)
    ids.forEach((id, i) => copied.data.set(x.data.subarray(id * x.width, (id + 1) * x.width), i * x.width))
    const [a, b] = [
      await fit(),
      await miniBatchKMeans(copied, all(ids.length), { clusters: 12, batchSize: 100, generator: randomState(42) }),
    ]
    expect(a).toEqual(b)
  })

  test('every row goes to a nearest centre', async () => {
    const { labels, centres } = await fit()
    const squared = (id: number, c: number): number =>
      Array.from(
        { length: x.width },
        (_, k) => ((x.data[id * x.width + k] ?? 0) - (centres.data[c * x.width + k] ?? 0)) ** 2,
      ).reduce((a, b) => a + b, 0)
    ids.forEach((id, i) => {
      const least = Math.min(...Array.from({ length: 12 }, (_, c) => squared(id, c)))
      // distances are compared in float32
      expect(squared(id, labels[i] ?? -1)).toBeLessThan(least + 1e-6)
    })
  })

  test('fewer different rows than clusters still end, and equal rows stay together', async () => {
    const few = Int32Array.from({ length: 200 }, (_, i) => i % 4)
    const { labels } = await miniBatchKMeans(x, few, { clusters: 9, batchSize: 50, generator: randomState(42) })
    few.forEach((id, i) => expect(labels[i]).toBe(labels[id]))
  })

  test('more clusters than rows are refused, and a cancelled fit ends', async () => {
    await expect(fit({ clusters: 901 })).rejects.toMatchObject({ code: 'task.value' })
    await expect(fit({ signal: AbortSignal.abort() })).rejects.toThrow('abort')
  })
})
