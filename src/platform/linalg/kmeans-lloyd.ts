/**
 * K-means by Lloyd's iterations from random rows, as scikit-learn fits it (`KMeans` with `init="random"`, ≥ 1.3): the
 * same draws, float32 centres, the same ends. The order in which its threads add rows is not fixed, so that centres are
 * equal up to the last places, and fits of close calls up to their quality.
 */
import { fault, matrix, type Matrix } from '#core'
import type { RandomState } from '#platform/random'
import type { KMeans } from './kmeans.ts'
import { nearestOfAll } from './nearest-centres.ts'

export interface LloydOptions {
  clusters: number
  /** Drawn from in scikit-learn's order. */
  generator: RandomState
  /** Fits, of which the one of least inertia counts. */
  starts?: number | undefined
  maxIterations?: number | undefined
  /** Share of the mean variance of a column: a fit ends when its centres move by less (squared distances, summed). */
  tolerance?: number | undefined
  /** After each start. */
  onStart?: ((done: number) => void) | undefined
  signal?: AbortSignal | undefined
}

/**
 * Clusters of the rows of `x`, the best of ten starts. The mean of `x` is taken off its rows, in place: they must not be
 * read again. Throws `task.value` for more clusters than rows.
 *
 * @example
 * ```ts
 * import { kmeans, matrix, randomState } from 'strata-lm/linalg'
 *
 * const x = matrix(4, 1, Float32Array.of(0, 1, 10, 11))
 * const { centres } = await kmeans(x, { clusters: 2, generator: randomState(42) })
 * console.log([...centres.data].sort((a, b) => a - b)) // → [ 0.5, 10.5 ]
 * ```
 */
export async function kmeans(
  x: Matrix,
  { clusters, generator, starts = 10, maxIterations = 300, tolerance = 1e-4, onStart, signal }: LloydOptions,
): Promise<KMeans> {
  if (!(clusters >= 1 && clusters <= x.rows))
    throw fault('task.value', { place: 'k-means', what: 'more clusters than rows', seen: { clusters, rows: x.rows } })
  const limit = tolerance * meanVariance(x)
  const mean = centre(x)
  const weights = new Float32Array(x.rows).fill(1 / x.rows)
  let best: KMeans | undefined
  for (let start = 0; start < starts; start++) {
    const seeds = generator.choice(x.rows, clusters, { replace: false, p: weights })
    const fit = await lloyd(x, seeds, { limit, maxIterations, signal })
    if (best === undefined || (fit.inertia < best.inertia && !sameClusters(fit.labels, best.labels, clusters)))
      best = fit
    onStart?.(start + 1)
  }
  if (best === undefined) throw fault('internal', { place: 'k-means', what: 'no start was asked for', seen: starts })
  const { data } = best.centres
  for (let i = 0; i < data.length; i++) data[i]! += mean[i % x.width]!
  return best
}

async function lloyd(
  x: Matrix,
  seeds: readonly number[],
  { limit, maxIterations, signal }: { limit: number; maxIterations: number; signal: AbortSignal | undefined },
): Promise<KMeans> {
  const { width } = x
  let centres = matrix(seeds.length, width)
  seeds.forEach((id, c) => centres.data.set(x.data.subarray(id * width, (id + 1) * width), c * width))
  let before: Int32Array = new Int32Array(0)
  let steps = 0
  while (steps < maxIterations) {
    const { labels, squared, inertia } = await nearestOfAll(x, centres, signal)
    const next = meanRows(x, labels, squared, centres)
    const moved = squaredShift(centres, next)
    centres = next
    steps++
    if (steps > 1 && labels.every((label, i) => label === before[i])) return { labels, centres, inertia, steps }
    before = labels
    if (moved <= limit) break
  }
  // labels of the last centres
  const { labels, inertia } = await nearestOfAll(x, centres, signal)
  return { labels, centres, inertia, steps }
}

/** The mean of each cluster's rows; a cluster without rows takes the row that is farthest from its centre. */
function meanRows(x: Matrix, labels: Int32Array, squared: Float64Array, centres: Matrix): Matrix {
  const { width } = x
  const next = matrix(centres.rows, width)
  const counts = new Int32Array(centres.rows)
  const add = (row: number, cluster: number, sign: number): void => {
    counts[cluster]! += sign
    for (let k = 0; k < width; k++) next.data[cluster * width + k]! += sign * x.data[row * width + k]!
  }
  labels.forEach((label, i) => add(i, label, 1))
  const empty = Array.from(counts.keys()).filter((c) => counts[c] === 0)
  if (empty.length > 0 && squared.some((distance) => distance > 0)) {
    const farthest = Array.from(squared.keys()).sort((a, b) => squared[b]! - squared[a]! || a - b)
    empty.forEach((cluster, i) => {
      const row = farthest[i]!
      add(row, labels[row]!, -1)
      add(row, cluster, 1)
    })
  }
  for (let c = 0; c < centres.rows; c++) {
    const share = Math.fround(1 / counts[c]!)
    if (counts[c]! > 0) for (let k = c * width; k < (c + 1) * width; k++) next.data[k]! *= share
  }
  return next
}

function squaredShift(a: Matrix, b: Matrix): number {
  let sum = 0
  for (let i = 0; i < a.data.length; i++) sum += (a.data[i]! - b.data[i]!) ** 2
  return sum
}

/** Columns' means, taken off in place. */
function centre({ rows, width, data }: Matrix): Float32Array {
  const mean = Float32Array.from(columnMeans({ rows, width, data }))
  for (let i = 0; i < data.length; i++) data[i]! -= mean[i % width]!
  return mean
}

function columnMeans({ rows, width, data }: Matrix): Float64Array {
  const sums = new Float64Array(width)
  for (let i = 0; i < data.length; i++) sums[i % width]! += data[i]!
  return sums.map((sum) => sum / rows)
}

function meanVariance({ rows, width, data }: Matrix): number {
  const mean = columnMeans({ rows, width, data })
  let sum = 0
  for (let i = 0; i < data.length; i++) sum += (data[i]! - mean[i % width]!) ** 2
  return sum / data.length
}

/** Whether two labellings differ by the numbers of their clusters alone. */
function sameClusters(a: Int32Array, b: Int32Array, clusters: number): boolean {
  const names = new Int32Array(clusters).fill(-1)
  return a.every((label, i) => {
    if (names[label]! < 0) names[label] = b[i]!
    return names[label] === b[i]
  })
}
