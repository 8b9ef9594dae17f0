/** Layer × layer similarity: mean and spread over seeded samples of the texts, or once over all of them. */
import { type CallOptions, fault, type Matrix, mean, populationDeviation } from '#core'
import { randomState } from '#platform/random'
import type { Layers, Similarity } from './similarity.ts'

export interface Trials {
  /** Texts of a trial; default 3,000. Fewer texts than that: one trial over all of them. */
  readonly sampleSize?: number | undefined
  readonly trials?: number | undefined
  readonly seed?: number | undefined
}

export interface LayerSimilarity {
  readonly rows: number
  readonly columns: number
  /** [rows × columns] */
  readonly mean: Float64Array
  /** Population standard deviation over the trials; 0 where there was one. */
  readonly std: Float64Array
}

/**
 * Rows of each trial, without replacement, as numpy's `RandomState(seed).permutation` draws them one trial after the
 * other.
 */
export function drawnRows(texts: number, { sampleSize = 3000, trials = 5, seed = 42 }: Trials = {}): Int32Array[] {
  if (texts <= sampleSize) return [Int32Array.from({ length: texts }, (_, i) => i)]
  const random = randomState(seed)
  return Array.from({ length: trials }, () => Int32Array.from(random.permutation(texts).slice(0, sampleSize)).sort())
}

/**
 * Compares layers over samples of the texts, every metric over the same draws: mean and standard deviation over the
 * trials, by name of the metric. `x` gives the rows of all layers of one side, `y` those of the other model; without
 * `y` the layers are compared with each other. Only the vectors of one trial are in memory. Throws `usage.value`
 * without texts, `task.value` for a vector that is not finite.
 *
 * @example
 * ```ts
 * import { matrix, takeRows } from 'strata-lm/linalg'
 * import { layerSimilarity, similarities } from 'strata-lm/similarity'
 *
 * const layers = [matrix(4, 1, Float32Array.of(1, 2, 3, 4)), matrix(4, 1, Float32Array.of(1, 4, 9, 16))]
 * const found = await layerSimilarity([similarities.cka], {
 *   texts: 4,
 *   x: (rows) => layers.map((layer) => takeRows(layer, rows)),
 * })
 * console.log(found.get('cka')?.rows, found.get('cka')?.mean[1]?.toFixed(4)) // → 2 0.9690
 * ```
 */
export async function layerSimilarity(
  metrics: readonly Similarity[],
  {
    texts,
    x,
    y,
  }: {
    texts: number
    x: (rows: Int32Array) => Promise<Layers> | Layers
    y?: ((rows: Int32Array) => Promise<Layers> | Layers) | undefined
  },
  { signal, onProgress, ...trials }: Trials & CallOptions = {},
): Promise<Map<string, LayerSimilarity>> {
  if (texts === 0) throw fault('usage.value', { place: 'similarity', what: 'no texts' })
  const draws = drawnRows(texts, trials)
  const total = draws.length * metrics.length
  const found = new Map<string, { values: Float64Array[]; rows: number; columns: number }>()
  let done = 0
  for (const rows of draws) {
    const xs = await x(rows)
    const ys = await y?.(rows)
    for (const layer of [...xs, ...(ys ?? [])]) checkFinite(layer)
    for (const metric of metrics) {
      signal?.throwIfAborted()
      const entry = found.get(metric.name) ?? { values: [], rows: xs.length, columns: ys?.length ?? xs.length }
      entry.values.push(await metric.between(xs, ys))
      found.set(metric.name, entry)
      onProgress?.({ stage: 'similarity', done: ++done, total, unit: 'trials' })
    }
  }
  return new Map([...found].map(([name, { values, rows, columns }]) => [name, { rows, columns, ...moments(values) }]))
}

function moments(values: readonly Float64Array[]): { mean: Float64Array; std: Float64Array } {
  const [first = new Float64Array()] = values
  const at = (place: number): number[] => values.map((one) => one[place]!)
  return {
    mean: first.map((_, place) => mean(at(place))),
    std: first.map((_, place) => populationDeviation(at(place))),
  }
}

function checkFinite({ data, width }: Matrix): void {
  const at = data.findIndex((value) => !Number.isFinite(value))
  if (at >= 0)
    throw fault('task.value', {
      place: `text ${Math.floor(at / width) + 1}`,
      what: 'the vector of a text is not finite',
      seen: String(data[at]),
    })
}
