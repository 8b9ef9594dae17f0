/** Standard errors of a task's numbers (lm-evaluation-harness 0.4.13, `stderr_for_metric`). */
import { compensatedMean, sampleDeviation } from '#core'
import { pythonRandom } from '#platform/random'
import type { Item } from '../ports/port.ts'
import type { Aggregation } from './aggregations.ts'

/** `iterations` 0: none. Undefined where there is no error, or only one document. */
export function standardError(
  items: readonly Item[],
  aggregation: Aggregation,
  iterations: number,
): number | undefined {
  const { error } = aggregation
  if (iterations <= 0 || items.length < 2 || error === 'none') return undefined
  return error === 'mean'
    ? deviation(items.map(Number)) / Math.sqrt(items.length)
    : bootstrapped(items, aggregation, iterations)
}

/** The mean is compensated, the squares around it are not. */
function deviation(values: readonly number[]): number {
  return sampleDeviation(values, compensatedMean(values))
}

/** Draws of a chunk: each chunk has a generator of its own, seeded with its number. */
const chunk = 1000

/** Deviation of the number over documents drawn again with replacement (Efron 1979), draw for draw as the reference. */
function bootstrapped(items: readonly Item[], { run, drawn }: Aggregation, iterations: number): number {
  const number =
    drawn?.(items) ?? ((places: ArrayLike<number>): number => run(Array.from(places, (at) => items[at] ?? null)))
  const size = Math.min(chunk, iterations)
  const places = new Uint32Array(items.length)
  const replicates: number[] = []
  for (let seed = 0; seed < Math.floor(iterations / size); seed++) {
    const random = pythonRandom(seed)
    for (let i = 0; i < size; i++) {
      // as `choices`, into the same list again
      for (let j = 0; j < places.length; j++) places[j] = Math.floor(random.random() * places.length)
      replicates.push(number(places))
    }
  }
  return deviation(replicates)
}
