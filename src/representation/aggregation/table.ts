/** Every way to combine layers: flags, help, docs and the contract suite come from this list. */
import { declaredKind, named, openTable, type PluginSource } from '#core'
import { all_pca } from './all-pca.ts'
import { cluster_pca } from './cluster-pca.ts'
import { cluster } from './cluster.ts'
import { greedy_delta } from './greedy-delta.ts'
import { greedy } from './greedy.ts'
import { greedyv2 } from './greedyv2.ts'
import { guarded } from './define.ts'
import type { AggregationMethod } from './method.ts'
import { selected_pca } from './selected-pca.ts'
import { best, last, mean, weighted_best } from './simple.ts'
import { weighted_greedy } from './weighted-greedy.ts'
import { weighted } from './weighted.ts'

/**
 * Every method of combining layers by name. `combine` takes the similarity of a model's n states [n × n] and the quality
 * of each on its own [n], and returns weights, or blocks of states to be projected.
 *
 * @example
 * ```ts
 * import { aggregationMethods } from 'strata-lm/aggregation'
 *
 * const known = { similarity: Float64Array.of(1, 0.9, 0.9, 1), quality: Float64Array.of(0.2, 0.8) }
 * const options = { lambda: 0.5, clusters: 2, dropDelta: 0.1, maxLayers: 2 }
 * const best = await aggregationMethods.best.combine(known, options)
 * console.log(best.kind === 'sum' && [...best.weights]) // → [ 0, 1 ]
 * ```
 */
export const aggregationMethods = {
  weighted,
  weighted_greedy,
  greedy,
  greedyv2,
  greedy_delta,
  cluster,
  mean,
  last,
  best,
  weighted_best,
  selected_pca,
  cluster_pca,
  all_pca,
} as const satisfies Readonly<Record<string, AggregationMethod>>

export type AggregationName = keyof typeof aggregationMethods

/** Names of the original programs. */
const aliases: Readonly<Record<string, AggregationName>> = {
  best_single: 'best',
  greedy_rank: 'greedy',
  greedy_val: 'greedyv2',
}

/**
 * Methods of combining layers by name: `all`, or a list with commas. Throws `usage.value` with the nearest name.
 *
 * @example
 * ```ts
 * import { aggregationNamed } from 'strata-lm/aggregation'
 *
 * console.log(aggregationNamed('mean,weighted').map(({ name }) => name)) // → [ 'mean', 'weighted' ]
 * ```
 */
export function aggregationNamed(list: string, place = '--methods'): AggregationMethod[] {
  return named<AggregationMethod>(list, aggregationTable.all(), {
    place,
    kind: 'method',
    isMeant: ({ name }, word) => name === (Object.hasOwn(aliases, word) ? aliases[word] : word),
  })
}

/** Strata's own, and those of plug-ins. */
export const aggregationTable = openTable<AggregationMethod>('aggregation method', aggregationMethods, [
  'all',
  ...Object.keys(aliases),
])

/** Adds the ways to combine layers among a plug-in's exports: they are found by name from then on. Returns their names. */
export function addAggregationMethods(exports: Readonly<Record<string, unknown>>, source: PluginSource): string[] {
  const found = [...new Set(Object.values(exports))].filter(
    (value) => declaredKind(value) === 'aggregation method',
  ) as AggregationMethod[]
  for (const one of found) aggregationTable.add(guarded(one, source), source)
  return found.map(({ name }) => name)
}
