/** Sources of many targets from one table: the nearest, or those that are near without being alike. */
import { fault } from '#core'
import { type AggregationMethod, aggregationMethods, defaults, type Known } from '#representation/aggregation'
import {
  type LocaleTable,
  sourceWeights,
  type SourceWeight,
  type TargetSources,
  type WeightOptions,
  within,
} from './weights.ts'

/**
 * `top-k`: by the similarity to the target alone. The others are methods of combining layers, with the similarity to the
 * target as quality and the similarity of the sources as redundancy.
 */
export type SourceChoice = 'top-k' | 'qp' | 'weighted_greedy' | 'greedy'

export interface TargetSourcesOptions extends WeightOptions {
  /** References by locale: only these may be sources. */
  readonly models: ReadonlyMap<string, string>
  /** Default: `top-k`. */
  readonly choice?: SourceChoice | undefined
  /** Price of similar sources. Default: 0.5. */
  readonly lambda?: number | undefined
}

/**
 * Sources by target among the locales that have models, at most `topK` each. Throws `usage.value` for a target that the
 * table lacks or has no source for, and where a choice needs the similarity of two sources that the table lacks.
 */
export async function targetSources(
  table: LocaleTable,
  targets: readonly string[],
  { models, choice = 'top-k', lambda = defaults.lambda, ...options }: TargetSourcesOptions,
): Promise<TargetSources> {
  const among = within(table, [...models.keys()])
  const method = methodOf(choice)
  const found = targets.map(async (target) => {
    const near = sourceWeights(among, target, method === undefined ? options : { ...options, topK: Infinity })
    if (method === undefined) return [target, near] as const
    const { topK = 5 } = options
    const known: Known = {
      quality: Float64Array.from(near, ({ similarity }) => similarity),
      similarity: similarityOf(
        table,
        near.map(({ source }) => source),
      ),
    }
    const combined = await method.combine(known, { ...defaults, lambda, maxLayers: topK })
    if (combined.kind !== 'sum') throw fault('internal', { place: choice, what: 'gives no weights' })
    return [target, heaviest(near, combined.weights, topK)] as const
  })
  return new Map(await Promise.all(found))
}

function methodOf(choice: SourceChoice): AggregationMethod | undefined {
  switch (choice) {
    case 'top-k':
      return undefined
    case 'qp':
      return aggregationMethods.weighted
    case 'weighted_greedy':
      return aggregationMethods.weighted_greedy
    case 'greedy':
      return aggregationMethods.greedy
    default:
      return choice satisfies never
  }
}

function heaviest(near: readonly SourceWeight[], weights: Float64Array, most: number): SourceWeight[] {
  const chosen = near
    .map(({ source }, i) => ({ source, weight: weights[i] ?? 0 }))
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
    .slice(0, most)
  const total = chosen.reduce((sum, { weight }) => sum + weight, 0)
  return chosen.map(({ source, weight }) => ({ source, weight: weight / total }))
}

/** [sources × sources]: mean of both directions, as one source's accuracy on another is not the reverse. */
function similarityOf({ targets, sources, values }: LocaleTable, names: readonly string[]): Float64Array {
  const [rows, columns] = [names.map((name) => targets.indexOf(name)), names.map((name) => sources.indexOf(name))]
  return Float64Array.from({ length: names.length ** 2 }, (_, at) => {
    const [i, j] = [Math.floor(at / names.length), at % names.length]
    const value = (cell(i, j) + cell(j, i)) / 2
    if (Number.isFinite(value)) return value
    throw fault('usage.value', {
      place: `${names[i]} › ${names[j]}`,
      what: 'the table of similarities has no such pair of sources',
      hint: '--choose top-k needs only the similarities to the target',
    })
  })

  function cell(i: number, j: number): number {
    return values[rows[i] ?? -1]?.[columns[j] ?? -1] ?? NaN
  }
}
