/** The laws of ways to combine layers, over seeded models: what Strata's own and the user's are held to. */
import { broken, type Law } from '#core'
import { randomState } from '#platform/random'
import { type AggregationMethod, type AggregationOptions, type Combination, defaults, type Known } from './method.ts'

/** Numbers of states. */
const sizes = [2, 5, 13]

/** The laws, in the order of a report. */
export function aggregationLaws(): Law<AggregationMethod>[] {
  const law = (
    text: string,
    hold: (method: AggregationMethod, known: Known, at: string) => Promise<void>,
    concerns?: (method: AggregationMethod) => boolean,
  ): Law<AggregationMethod> => ({
    law: text,
    concerns,
    async hold(method) {
      for (const n of sizes) await hold(method, drawn(n, n), `${n} states`)
    },
  })
  const unmoved = (
    name: AggregationMethod['uses'][number],
    change: (known: Known, options: AggregationOptions) => Parameters<AggregationMethod['combine']>,
  ): Law<AggregationMethod> =>
    law(
      `is not moved by ${name}, which it does not list`,
      async (method, known, at) => {
        const [plain, changed] = [
          await method.combine(known, defaults),
          await method.combine(...change(known, defaults)),
        ]
        if (written(plain) !== written(changed)) broken(at, `another ${name}, another answer`, written(changed))
      },
      ({ uses }) => !uses.includes(name),
    )
  return [
    law('gives finite weights, not all 0, or blocks of states that there are', async (method, known, at) => {
      const made = await method.combine(known, defaults)
      const sound =
        made.kind === 'sum'
          ? made.weights.length === known.quality.length &&
            made.weights.every(Number.isFinite) &&
            made.weights.some((weight) => weight !== 0)
          : made.blocks.length > 0 &&
            made.blocks.every(({ layers }) => layers.every((h) => h >= 0 && h < known.quality.length))
      if (!sound) broken(at, 'no combination of them', written(made))
    }),
    law('gives the same answer when it is asked twice', async (method, known, at) => {
      const [once, again] = [await method.combine(known, defaults), await method.combine(known, defaults)]
      if (written(once) !== written(again)) broken(at, 'another answer', written(again), written(once))
    }),
    law('changes nothing that it is given', async (method, known, at) => {
      const before = { similarity: known.similarity.slice(), quality: known.quality.slice() }
      await method.combine(known, defaults)
      for (const name of ['similarity', 'quality'] as const) {
        const changed = known[name].findIndex((value, i) => !Object.is(value, before[name][i]))
        if (changed >= 0) broken(at, `it wrote to element ${changed} of ${name}`)
      }
    }),
    unmoved('lambda', (known, options) => [known, { ...options, lambda: 2 }]),
    unmoved('similarity', ({ quality }, options) => [
      { quality, similarity: drawn(quality.length, 77).similarity },
      options,
    ]),
    unmoved('quality', ({ similarity, quality }, options) => [
      { similarity, quality: drawn(quality.length, 77).quality },
      options,
    ]),
  ]
}

function written(made: Combination): string {
  return JSON.stringify(made.kind === 'sum' ? [...made.weights] : made.blocks)
}

/** A Gram matrix of unit vectors, and qualities. */
function drawn(n: number, seed: number): Known {
  const random = randomState(seed)
  const width = 6
  const vectors = Array.from({ length: n }, () => [...random.randomSample(width)].map((value) => value - 0.2))
  const dot = (a: readonly number[], b: readonly number[]): number =>
    a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0)
  const unit = vectors.map((own) => own.map((value) => value / Math.sqrt(dot(own, own))))
  return {
    similarity: Float64Array.from(unit.flatMap((a) => unit.map((b) => dot(a, b)))),
    quality: random.randomSample(n).map((value) => 0.3 + 0.6 * value),
  }
}
