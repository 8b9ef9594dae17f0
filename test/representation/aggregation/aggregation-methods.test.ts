import { describe, expect, test } from 'vitest'
import { randomState } from '#platform/random'
import {
  aggregationLaws,
  type AggregationMethod,
  aggregationMethods,
  aggregationNamed,
  type AggregationOptions,
  type Block,
  defaults,
  type Known,
  qualityOf,
  transformedQuality,
} from '#representation/aggregation'
import { flatClusters } from '../../../src/representation/aggregation/flat-clusters.ts'
import { goldenOf } from '../../golden-of.ts'

interface Golden {
  programmes: {
    n: number
    seed: number
    lambda: number
    weighted: number[]
    objective: number
    weighted_greedy: number[]
    greedy_objective: number
  }[]
  clusters: { n: number; seed?: number; similarity?: number[]; most: number; clusters: number[][] }[]
}

// oracles/aggregation.py
const golden = goldenOf<Golden>('representation/aggregation', 'aggregation')

/** The script's draws: Gram matrices of unit vectors, and qualities. */
function drawn(n: number, seed: number): Known {
  const random = randomState(seed)
  const noise = random.randomSample(40 * n).map((value) => value - 0.5)
  const common = random.randomSample(40).map((value) => value - 0.5)
  const columns = Array.from({ length: n }, () => new Float64Array(40))
  for (let i = 0; i < 40; i++) {
    let sum = 0
    for (let k = 0; k < n; k++) {
      sum += (noise[i * n + k] ?? NaN) + 1.5 * (common[i] ?? NaN)
      const column = columns[k]
      if (column !== undefined) column[i] = sum
    }
  }
  const dot = (a: Float64Array, b: Float64Array): number => a.reduce((sum, value, i) => sum + value * (b[i] ?? NaN), 0)
  const unit = columns.map((column) => column.map((value) => value / Math.sqrt(dot(column, column))))
  return {
    similarity: Float64Array.from(unit.flatMap((a) => unit.map((b) => dot(a, b)))),
    quality: random.randomSample(n).map((value) => 0.3 + 0.6 * value),
  }
}

const sums = async (
  method: AggregationMethod,
  known: Known,
  options: Partial<AggregationOptions> = {},
): Promise<Float64Array> => {
  const made = await method.combine(known, { ...defaults, ...options })
  if (made.kind !== 'sum') throw new Error('a sum was expected')
  return made.weights
}
const blocksOf = async (
  method: AggregationMethod,
  known: Known,
  options: Partial<AggregationOptions> = {},
): Promise<readonly Block[]> => {
  const made = await method.combine(known, { ...defaults, ...options })
  if (made.kind !== 'projection') throw new Error('a projection was expected')
  return made.blocks
}
/** Where two lists are not the same, within a tolerance. */
const apart = (got: ArrayLike<number>, want: readonly number[], tolerance = 1e-6): string[] =>
  got.length === want.length
    ? want.flatMap((value, i) =>
        Math.abs((got[i] ?? NaN) - value) < tolerance ? [] : [`${i}: ${got[i]}, not ${value}`],
      )
    : [`${got.length} numbers, not ${want.length}`]

const laws = aggregationLaws()

describe.each(Object.values<AggregationMethod>(aggregationMethods))('$name', (method) => {
  test.each(laws.filter(({ concerns }) => concerns?.(method) !== false))('$law', async ({ hold }) =>
    expect(await hold(method)).toBeUndefined(),
  )
})

describe('the vectors of the specification', () => {
  const known: Known = {
    quality: Float64Array.of(0.3, 0.55, 0.6, 0.58, 0.4),
    similarity: Float64Array.of(
      1,
      0.8,
      0.6,
      0.4,
      0.2,
      0.8,
      1,
      0.85,
      0.6,
      0.3,
      0.6,
      0.85,
      1,
      0.9,
      0.5,
      0.4,
      0.6,
      0.9,
      1,
      0.7,
      0.2,
      0.3,
      0.5,
      0.7,
      1,
    ),
  }
  test.each([
    [0.1, [0, 0, 1, 0, 0], 0.5],
    [0.5, [0, 0.4625, 0, 0.3375, 0.2], 0.1775625],
    [1, [0.104348, 0.376902, 0, 0.186141, 0.332609], -0.15704484],
  ])('weighted, λ = %d', async (lambda, want, objective) => {
    const made = await aggregationMethods.weighted.combine(known, { ...defaults, lambda })
    expect(apart(made.kind === 'sum' ? made.weights : [], want)).toEqual([])
    expect(made.notes['objective']).toBeCloseTo(objective, 8)
    expect(made.notes['residual']).toBeLessThan(1e-12)
  })
  test.each([
    [0.1, [0, 0.153314, 0.49683, 0.349856, 0]],
    [0.5, [0, 0.289853, 0.277288, 0.278787, 0.154072]],
    [1, [0.123182, 0.234108, 0.203375, 0.221121, 0.218213]],
  ])('weighted_greedy, λ = %d', async (lambda, want) =>
    expect(apart(await sums(aggregationMethods.weighted_greedy, known, { lambda }), want)).toEqual([]),
  )
  test.each([
    [0.1, [2, 3, 1, 4, 0], [0.6, 0.49, 0.4775, 0.35, 0.25], [0.087591, 0.145985, 0.437956, 0.218978, 0.109489]],
    [0.5, [2, 4, 1, 3, 0], [0.6, 0.15, 0.2625, 0.213333, 0.05], [0.087591, 0.145985, 0.437956, 0.109489, 0.218978]],
    [1, [2], [0.6], [0, 0, 1, 0, 0]],
  ])('greedy, λ = %d', async (lambda, picks, gains, want) => {
    const made = await aggregationMethods.greedy.combine(known, { ...defaults, lambda })
    expect(made.notes['picks']).toEqual(picks)
    expect(apart(made.notes['gains'] as number[], gains)).toEqual([])
    expect(apart(made.kind === 'sum' ? made.weights : [], want)).toEqual([])
  })
  test.each([
    [0.1, [0.123457, 0.226337, 0.246914, 0.238683, 0.164609]],
    [1, [0, 0, 1, 0, 0]],
  ])('greedyv2, λ = %d', async (lambda, want) =>
    expect(apart(await sums(aggregationMethods.greedyv2, known, { lambda }), want)).toEqual([]),
  )
  test('greedy_delta', async () => {
    const made = await aggregationMethods.greedy_delta.combine(known, defaults)
    expect(made.notes).toMatchObject({ kept: [1, 2, 3], picks: [2, 3, 1] })
    expect(apart(made.notes['gains'] as number[], [0.6, 0.13, 0.1875])).toEqual([])
    expect(apart(made.kind === 'sum' ? made.weights : [], [0, 0.181818, 0.545455, 0.272727, 0])).toEqual([])
    expect(apart(await sums(aggregationMethods.greedy_delta, known, { lambda: 1 }), [0, 0, 1, 0, 0])).toEqual([])
  })
  test.each([
    [4, [0.123457, 0.226337, 0.242798, 0.242798, 0.164609]],
    [3, [0.174897, 0.174897, 0.242798, 0.242798, 0.164609]],
  ])('cluster, K = %d', async (clusters, want) =>
    expect(apart(await sums(aggregationMethods.cluster, known, { clusters }), want)).toEqual([]),
  )
  test('cluster_pca: clusters in the order of scipy, the roots of their shares', async () => {
    const blocks = await blocksOf(aggregationMethods.cluster_pca, known, { clusters: 3 })
    expect(blocks.map(({ layers }) => layers)).toEqual([[2, 3], [0, 1], [4]])
    expect(
      apart(
        blocks.map(({ factor }) => factor ** 2),
        [0.416961, 0.300353, 0.282686],
      ),
    ).toEqual([])
  })
  test('selected_pca: roots of the weights that were kept', async () => {
    const blocks = await blocksOf(aggregationMethods.selected_pca, known)
    expect(blocks.map(({ layers }) => layers)).toEqual([[1], [3], [4]])
    expect(
      apart(
        blocks.map(({ factor }) => factor ** 2),
        [0.4625, 0.3375, 0.2],
      ),
    ).toEqual([])
  })
  test('what needs no similarity', async () => {
    expect(apart(await sums(aggregationMethods.mean, known), [0.2, 0.2, 0.2, 0.2, 0.2])).toEqual([])
    expect(apart(await sums(aggregationMethods.last, known), [0, 0, 0, 0, 1])).toEqual([])
    expect(apart(await sums(aggregationMethods.best, known), [0, 0, 1, 0, 0])).toEqual([])
    expect(
      apart(await sums(aggregationMethods.weighted_best, known), [0.123457, 0.226337, 0.246914, 0.238683, 0.164609]),
    ).toEqual([])
    expect(await blocksOf(aggregationMethods.all_pca, known)).toEqual(
      [0, 1, 2, 3, 4].map((h) => ({ layers: [h], factor: 1 })),
    )
  })
})

describe('by hand', () => {
  const apartFromEachOther = Float64Array.of(1, 0, 0, 1)

  test('a layer that lacks the whole drop is still among those that greedy_delta picks from', async () => {
    const known = { similarity: apartFromEachOther, quality: Float64Array.of(1, 0.5) }
    const made = await aggregationMethods.greedy_delta.combine(known, { ...defaults, dropDelta: 0.5 })
    expect(made.notes).toMatchObject({ kept: [0, 1] })
    // ranks 1 and 2 weigh 1 and 1/2
    expect(apart(made.kind === 'sum' ? made.weights : [], [2 / 3, 1 / 3], 1e-15)).toEqual([])
  })

  test('weights up to a thousandth of weighted are dropped, larger ones are kept', async () => {
    // of two layers that share nothing the second weighs 1/2 − (q₁ − q₂) / 4λ
    const weights = async (second: number): Promise<Float64Array> =>
      sums(aggregationMethods.weighted, { similarity: apartFromEachOther, quality: Float64Array.of(1, second) })
    expect(apart(await weights(0.001), [1, 0], 1e-15)).toEqual([]) // 0.0005
    expect(apart(await weights(0.004), [0.998, 0.002], 1e-12)).toEqual([])
  })

  test('of equally good layers neither is redundant to the other for weighted_greedy', async () => {
    // A is 1 on its diagonal, 0 between the two equals, 1/4 between them and the third. With weights x, x, 1 − 2x the
    // gain 1.2x + 0.5(1 − 2x) − (2x² + x(1 − 2x) + (1 − 2x)²) is highest at x = 0.4.
    const similarity = Float64Array.of(1, 0.5, 0.5, 0.5, 1, 0.5, 0.5, 0.5, 1)
    const known = { similarity, quality: Float64Array.of(0.6, 0.6, 0.5) }
    expect(apart(await sums(aggregationMethods.weighted_greedy, known, { lambda: 1 }), [0.4, 0.4, 0.2], 1e-12)).toEqual(
      [],
    )
  })
})

describe('quadratic programmes, against scipy', () => {
  test.each(golden.programmes)(
    '$n layers, seed $seed, λ = $lambda',
    async ({ n, seed, lambda, weighted, objective, weighted_greedy }) => {
      const made = await aggregationMethods.weighted.combine(drawn(n, seed), { ...defaults, lambda })
      // Weights of at most 0.001 are dropped, and the rest divided by its sum.
      const kept = weighted.map((weight) => (weight <= 0.001 ? 0 : weight))
      const total = kept.reduce((sum, weight) => sum + weight, 0)
      expect(
        apart(
          made.kind === 'sum' ? made.weights : [],
          kept.map((weight) => weight / total),
          1e-7,
        ),
      ).toEqual([])
      expect(made.notes['objective']).toBeCloseTo(objective, 9)
      expect(
        apart(await sums(aggregationMethods.weighted_greedy, drawn(n, seed), { lambda }), weighted_greedy, 1e-7),
      ).toEqual([])
    },
  )
})

describe('clusters, as scipy cuts them', () => {
  test.each(golden.clusters)('$n layers, at most $most', ({ n, seed = 0, similarity, most, clusters }) => {
    const known = similarity === undefined ? drawn(n, seed).similarity : Float64Array.from(similarity)
    expect(
      flatClusters(
        known.map((value, at) => (at % (n + 1) === 0 ? 0 : 1 - value)),
        n,
        most,
      ),
    ).toEqual(clusters)
  })
})

describe.each(Object.values<AggregationMethod>(aggregationMethods))('$name', (method) => {
  const random = randomState(11)
  const cases = Array.from({ length: 30 }, (_, k) => drawn(1 + (k % 9), 100 + k))
  const answer = async (known: Known, options: Partial<AggregationOptions> = {}): Promise<string> => {
    const made = await method.combine(known, { ...defaults, ...options })
    return JSON.stringify(made.kind === 'sum' ? [...made.weights] : made.blocks)
  }

  test('gives weights that are none of them negative and add up to 1, or blocks of layers that are there', async () => {
    for (const known of cases) {
      const n = known.quality.length
      const made = await method.combine(known, { ...defaults, lambda: random.randomSample(1)[0] ?? 0 })
      const blocks: readonly Block[] =
        made.kind === 'sum' ? [...made.weights].map((factor, h) => ({ layers: [h], factor })) : made.blocks
      expect(blocks.length).toBeGreaterThan(0)
      expect(blocks.every(({ layers, factor }) => layers.every((h) => h >= 0 && h < n) && factor >= 0)).toBe(true)
      // the squared factors of blocks are shares too, but where no layer has a weight
      const total = blocks.reduce((sum, { factor }) => sum + (made.kind === 'sum' ? factor : factor ** 2), 0)
      expect(total).toBeCloseTo(method.name === 'all_pca' ? n : 1, 12)
    }
  })

  test('moves with what it says it uses, and with nothing else', async () => {
    const other = drawn(9, 500)
    const changed: readonly (readonly [AggregationMethod['uses'][number], (known: Known) => Promise<string>])[] = [
      ['lambda', (known) => answer(known, { lambda: 1.7 })],
      ['similarity', (known) => answer({ ...known, similarity: other.similarity })],
      ['quality', (known) => answer({ ...known, quality: other.quality })],
      ['clusters', (known) => answer(known, { clusters: 2 })],
    ]
    for (const [what, asked] of changed) {
      let moved = false
      for (let seed = 200; seed < 215; seed++) {
        const known = drawn(9, seed)
        moved ||= (await asked(known)) !== (await answer(known))
      }
      expect([what, moved]).toEqual([what, method.uses.includes(what)])
    }
  })

  test('of layers that are all alike, and of quality 0, still says something', async () => {
    const same: Known = { similarity: new Float64Array(16).fill(1), quality: new Float64Array(4).fill(0.5) }
    const poor: Known = { ...drawn(4, 3), quality: new Float64Array(4) }
    for (const known of [same, poor])
      for (const lambda of [0, 0.5, 3]) {
        const made = await method.combine(known, { ...defaults, lambda })
        const numbers = made.kind === 'sum' ? [...made.weights] : made.blocks.map(({ factor }) => factor)
        expect(numbers.every(Number.isFinite)).toBe(true)
      }
  })
})

describe('a similarity that is not positive semidefinite', () => {
  test('is mended, with a warning that says how far it was', async () => {
    const known: Known = {
      similarity: Float64Array.of(1, 0.99, 0.1, 0.99, 1, 0.99, 0.1, 0.99, 1),
      quality: Float64Array.of(0.5, 0.5, 0.6),
    }
    const made = await aggregationMethods.weighted.combine(known, { ...defaults, lambda: 2 })
    expect(made.notes['warning']).toMatch(/not positive semidefinite \(lowest eigenvalue -/)
    expect(made.notes['residual']).toBeLessThan(1e-9)
  })
})

describe('quality', () => {
  test('softmax, log and sum, in that order', () => {
    const q = Float64Array.of(0.5, 0.25, 0)
    expect(apart(transformedQuality(q, { softmax: 0.5 }), [0.5065, 0.3072, 0.1863], 1e-4)).toEqual([])
    expect(
      apart(transformedQuality(q, { log: true }), [Math.log(0.5), Math.log(0.25), Math.log(1e-10)], 1e-12),
    ).toEqual([])
    expect(apart(transformedQuality(q, { normalise: true }), [2 / 3, 1 / 3, 0], 1e-12)).toEqual([])
    expect(
      apart(
        transformedQuality(q, { softmax: 1, log: true }),
        [0.5, 0.25, 0].map((value) => value - Math.log(Math.exp(0.5) + Math.exp(0.25) + 1)),
        1e-12,
      ),
    ).toEqual([])
    expect(() => transformedQuality(q, { softmax: 0 })).toThrow(/temperature/)
  })
  test('of similarity alone: its diagonal, or the mean of a row', () => {
    const similarity = Float64Array.of(1, 0.5, 0.3, 0.9)
    expect([...qualityOf(similarity, 2, 'diagonal')]).toEqual([1, 0.9])
    expect([...qualityOf(similarity, 2, 'row_mean')]).toEqual([0.75, 0.6])
  })
})

describe('names', () => {
  test('lists, the originals’ own, all; a wrong one with the nearest', () => {
    expect(aggregationNamed('weighted, best_single,best').map(({ name }) => name)).toEqual(['weighted', 'best'])
    expect(aggregationNamed('all')).toHaveLength(13)
    expect(() => aggregationNamed('weigthed')).toThrow(/weighted/)
  })
})
