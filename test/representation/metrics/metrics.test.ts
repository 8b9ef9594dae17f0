import { describe, expect, test } from 'vitest'
import type { Matrix64 } from '#core'
import { randomState } from '#platform/random'
import { type Metric, metricLaws, metrics, metricsNamed, type MetricValue } from '#representation/metrics'
import { goldenOf } from '../../golden-of.ts'

interface Golden {
  cases: { data: { n: number; width: number; seed: number }; values: Record<string, MetricValue | readonly number[]> }[]
}

// oracles/metrics.py
const golden = goldenOf<Golden>('representation/metrics', 'metrics')

/** The script's draws: vectors, and a second view of them. */
function drawn({ n, width, seed }: Golden['cases'][number]['data']): [Matrix64, Matrix64] {
  const random = randomState(seed)
  const even = (count: number): Float64Array => random.randomSample(count).map((value) => value - 0.5)
  const [base, mix, noise] = [even(n * 5), even(5 * width), even(n * width)]
  const shift = random.randomSample(width)
  const data = Float64Array.from({ length: n * width }, (_, at) => {
    const [i, k] = [Math.floor(at / width), at % width]
    let sum = 0
    for (let j = 0; j < 5; j++) sum += (base[i * 5 + j] ?? NaN) * (mix[j * width + k] ?? NaN)
    return sum + 0.3 * (noise[at] ?? NaN) + 0.4 * (shift[k] ?? NaN)
  })
  const other = even(n * width)
  return [
    { rows: n, width, data },
    { rows: n, width, data: data.map((value, at) => value + 0.2 * (other[at] ?? NaN)) },
  ]
}

function ask(metric: Metric, x: Matrix64, y: Matrix64): Promise<MetricValue | undefined> | MetricValue | undefined {
  switch (metric.kind) {
    case 'pooled':
      return metric.of(x)
    case 'tokens':
      return metric.of(x)
    case 'views':
      return metric.of([x, y])
    default:
      return metric satisfies never
  }
}

/** All numbers of a value, by their path. */
function leaves(value: unknown, path = ''): [string, number][] {
  if (typeof value === 'number') return [[path, value]]
  return Object.entries(value as object).flatMap(([key, inner]) => leaves(inner, `${path}/${key}`))
}

/** Where two values are not the same, within a tolerance. */
const apart = (got: unknown, want: unknown, tolerance = 1e-7): string[] => {
  const [mine, theirs] = [new Map(leaves(got)), leaves(want)]
  return [
    ...[...mine.keys()]
      .filter((path) => !theirs.some(([other]) => other === path))
      .map((path) => `${path} is too much`),
    ...theirs.flatMap(([path, value]) =>
      Math.abs((mine.get(path) ?? NaN) - value) <= tolerance * Math.max(1, Math.abs(value))
        ? []
        : [`${path}: ${mine.get(path)}, not ${value}`],
    ),
  ]
}

const laws = metricLaws()

describe.each(Object.values<Metric>(metrics))('$name', (metric) => {
  test.each(laws.filter(({ concerns }) => concerns?.(metric) !== false))('$law', async ({ hold }) =>
    expect(await hold(metric)).toBeUndefined(),
  )

  test.each(golden.cases)('is what the plain definition gives, $data', async ({ data, values }) => {
    const want = values[metric.name]
    const got = await ask(metric, ...drawn(data))
    // An axis has no sign, and a histogram of its scores may differ by where an edge falls: either will do.
    const either: readonly unknown[] = Array.isArray(want) ? want : [want]
    expect(Math.min(...either.map((one) => apart(got, one).length))).toBe(0)
  })
})

describe('the vectors of the specification', () => {
  const at = (f: (i: number, j: number) => number): Matrix64 => ({
    rows: 12,
    width: 20,
    data: Float64Array.from({ length: 240 }, (_, k) => f(Math.floor(k / 20) + 1, (k % 20) + 1)),
  })
  const sine = (i: number, j: number): number => Math.sin(0.7 * i * j)
  const [x, y] = [at(sine), at((i, j) => Math.cos(0.3 * i + 0.5 * j) + 0.5 * sine(i, j))]
  test.each([
    ['effective_rank', 6.26362939],
    ['hist_prompt_entropy', 1.97920453],
    ['hist_dataset_entropy', 2.05443849],
    ['mean_pairwise_cosine', -0.05229874],
    ['anisotropy', 1.9848776],
    ['spectral_norm', 2.90820791],
  ] as const)('%s', async (name, want) => expect(await metrics[name].of(x)).toBeCloseTo(want, 7))
  test('logdet_covariance of a covariance that lacks ranks, roughly', async () =>
    expect(await metrics.logdet_covariance.of(x)).toBeCloseTo(-238.085, 0))
  test('sentence_entropy and curvature', async () => {
    const entropy = (await metrics.sentence_entropy.of(x)) as Record<string, number>
    expect(
      apart(
        [entropy['raw'], entropy['raw_with_clamp'], entropy['maxEntropy'], entropy['logNlogD']],
        [1.58436684, 2.13335548, 0.63759612, 0.21283481],
        1e-8,
      ),
    ).toEqual([])
    expect(
      apart(
        await metrics.curvature.of(x),
        {
          signed: 2.04921973,
          absolute_cosine: 1.08737608,
          signed_on_raw_states: 1.99069682,
          old_between_neighbours: 1.64558986,
        },
        1e-8,
      ),
    ).toEqual([])
  })
  test('infonce and lidar', async () => {
    const [information, lidar] = (await Promise.all([metrics.infonce.of([x, y]), metrics.lidar.of([x, y])])) as {
      centred: Record<string, number>
    }[]
    expect(
      apart(information?.centred, { raw: 0.59197164, 'mi-lower-bound': 0.76177309, simclr: 2.87882462 }, 1e-8),
    ).toEqual([])
    expect(apart(lidar?.centred, { entropy: 1.77774594, exp: 5.916505 }, 1e-6)).toEqual([])
  })
})

describe('where a definition ends', () => {
  const rows = (...points: readonly (readonly number[])[]): Matrix64 => ({
    rows: points.length,
    width: points[0]?.length ?? 0,
    data: Float64Array.from(points.flat()),
  })

  test('an eigenvalue below a millionth of the largest is rounding for knn_curvature', async () => {
    // The neighbours of each corner of a flat rectangle are the three others, whose covariance has 4/3 and 4d²/3 on its
    // diagonal and ±2d/3 beside it: the smaller eigenvalue is some 3d²/4 of the larger one.
    const flat = (d: number): Matrix64 => rows([1, d], [-1, d], [1, -d], [-1, -d])
    const ratioOf = (d: number): number => {
      const [trace, determinant] = [(4 / 3) * (1 + d * d), (4 / 3) * d * d]
      const root = Math.sqrt(trace * trace - 4 * determinant)
      // the smaller one from the larger, so that nothing cancels
      return (trace + root) / 2 / (determinant / ((trace + root) / 2) + 1e-10)
    }
    expect(await metrics.knn_curvature.of(flat(1e-3))).toEqual({ log10_of_mean: 0, mean_of_log10: 0 })
    const wanted = Math.log10(ratioOf(2e-3))
    // an eigenvalue of 4e-6 next to one of 4/3 is right to some 1e-10 of itself
    expect(apart(await metrics.knn_curvature.of(flat(2e-3)), { log10_of_mean: wanted, mean_of_log10: wanted })).toEqual(
      [],
    )
  })

  test('intrinsic_dimension leaves out the tenth of the ratios, rounded up', async () => {
    // Distances to the two nearest others on a line: 1 3, 1 2, 2 3, 4 6. Of the ratios 1.5, 1.5, 2, 3 three are used
    // (⌊0.9 · 4⌋, as of Facco et al.); −ln(1 − F) of the fourth would be infinite.
    const [x, y] = [[1.5, 1.5, 2].map(Math.log), [1, 2, 3].map((i) => -Math.log(1 - i / 4))]
    const sum = (terms: readonly number[]): number => terms.reduce((all, term) => all + term, 0)
    const wanted = sum(x.map((value, i) => value * (y[i] ?? NaN))) / sum(x.map((value) => value * value))
    expect(await metrics.intrinsic_dimension.of(rows([0], [1], [3], [7]))).toBeCloseTo(wanted, 12)
  })

  test('dataset_entropy is of the first thousand texts', async () => {
    // 250 in each direction of two axes have the mean 0, and two equal eigenvalues; what comes after them all lies
    // elsewhere
    const cross = [
      [1, 0],
      [-1, 0],
      [0, 1],
      [0, -1],
    ] as const
    const texts = Array.from({ length: 1200 }, (_, i) => (i < 1000 ? (cross[i % 4] ?? []) : [7, 3]))
    const wanted = { raw: Math.LN2, maxEntropy: 1, logNlogD: 1 / Math.log(1000) }
    expect(apart(await metrics.dataset_entropy.of(rows(...texts)), wanted, 1e-12)).toEqual([])
  })
})

describe('names', () => {
  test('lists and all; a wrong one with the nearest', () => {
    expect(metricsNamed('rankme, lidar,rankme').map(({ name }) => name)).toEqual(['rankme', 'lidar'])
    expect(metricsNamed('all')).toHaveLength(20)
    expect(() => metricsNamed('efective_rank')).toThrow(/effective_rank/)
  })
  test('two views are needed where views are compared', async () => {
    const [x] = drawn({ n: 12, width: 6, seed: 9 })
    await expect(Promise.resolve(metrics.infonce.of([x]))).rejects.toMatchObject({ code: 'usage.value' })
    await expect(Promise.resolve(metrics.lidar.of([x]))).rejects.toMatchObject({ code: 'usage.value' })
  })
})
