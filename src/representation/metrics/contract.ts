/** The laws of metrics, over seeded vectors: what Strata's own and the user's are held to. */
import { broken, type Law, type Matrix64 } from '#core'
import { randomState } from '#platform/random'
import type { Metric, MetricValue } from './metric.ts'

/** Texts and width; metrics that look at neighbours need some of them. */
const sizes = [
  [24, 6],
  [12, 20],
  [40, 3],
] as const

/** The laws, in the order of a report. */
export function metricLaws(): Law<Metric>[] {
  const law = (text: string, hold: (metric: Metric, views: readonly Matrix64[], at: string) => Promise<void>) => ({
    law: text,
    async hold(metric: Metric): Promise<void> {
      for (const [k, [rows, width]] of sizes.entries())
        await hold(metric, drawn(rows, width, k), `${rows} × ${width} vectors`)
    },
  })
  return [
    law('gives numbers', async (metric, views, at) => {
      const found = numbers(await valueFor(metric, views))
      if (found.length === 0) broken(at, 'it gives none')
      for (const [path, value] of found)
        if (!Number.isFinite(value)) broken(at, `${path || 'its value'} is not finite`, String(value))
    }),
    law('gives the same numbers when it is asked twice', async (metric, views, at) => {
      const [first, second] = [await valueFor(metric, views), await valueFor(metric, views)].map((value) =>
        numbers(value),
      )
      for (const [i, [path, value]] of (first ?? []).entries())
        if (!Object.is(value, second?.[i]?.[1])) broken(at, path || 'its value', second?.[i]?.[1], String(value))
    }),
    law('changes none of its vectors', async (metric, views, at) => {
      const before = views.map(({ data }) => data.slice())
      await valueFor(metric, views)
      for (const [k, { data }] of views.entries()) {
        const changed = data.findIndex((value, i) => !Object.is(value, before[k]?.[i]))
        if (changed >= 0) broken(at, `it wrote to element ${changed}`)
      }
    }),
    {
      law: 'gives a number, or says that there is none, for one text, two, and texts that are all the same',
      async hold(metric) {
        const [x, y] = drawn(12, 6, 9)
        for (const rows of [1, 2]) {
          const few = [x, y].map(({ data, width }) => ({ rows, width, data: data.slice(0, rows * width) }))
          await valueFor(metric, few)
        }
        const same = { rows: 12, width: 6, data: Float64Array.from({ length: 72 }, (_, at) => at % 6) }
        await valueFor(metric, [same, same])
      },
    },
  ]
}

async function valueFor(metric: Metric, views: readonly Matrix64[]): Promise<MetricValue | undefined> {
  const [first = { rows: 0, width: 0, data: new Float64Array() }] = views
  switch (metric.kind) {
    case 'pooled':
      return metric.of(first)
    case 'tokens':
      return metric.of(first)
    case 'views':
      return metric.of(views)
    default:
      return metric satisfies never
  }
}

/** All numbers of a value, by their path. */
function numbers(value: MetricValue | undefined, path = ''): (readonly [path: string, value: number])[] {
  if (value === undefined) return []
  if (typeof value === 'number') return [[path, value]]
  return Object.entries(value).flatMap(([key, inner]) => numbers(inner, `${path}/${key}`))
}

/** Vectors of a few directions with noise, and a second view of the same texts. */
function drawn(rows: number, width: number, seed: number): readonly [Matrix64, Matrix64] {
  const random = randomState(seed)
  const even = (count: number): Float64Array => random.randomSample(count).map((value) => value - 0.5)
  const [base, mix, noise, other] = [even(rows * 3), even(3 * width), even(rows * width), even(rows * width)]
  const data = noise.map((value, at) => {
    const [i, k] = [Math.floor(at / width), at % width]
    const along = [0, 1, 2].reduce((sum, j) => sum + base[3 * i + j]! * mix[j * width + k]!, 0)
    return along + 0.3 * value + 0.2
  })
  return [
    { rows, width, data },
    { rows, width, data: data.map((value, at) => value + 0.2 * other[at]!) },
  ]
}
