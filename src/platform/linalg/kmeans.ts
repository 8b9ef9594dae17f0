/**
 * Mini-batch k-means as scikit-learn fits it (`MiniBatchKMeans` with one start and k-means++): the same draws, the same
 * float32 centres, the same early stop. Its versions draw differently; a profile names them.
 */
import { fault, matrix, type Matrix } from '#core'
import type { RandomState } from '#platform/random'
import { seedCentres, type SeedingRules } from './kmeans-seeding.ts'
import { nearestCentres } from './nearest-centres.ts'

interface Rules extends SeedingRules {
  readonly batch: 'randint' | 'choice'
}

const profiles = {
  // scikit-learn ≤ 1.2
  A0: { firstCentre: 'randint', cumulative: 'float64', batch: 'randint' },
  // 1.3 – 1.7, which made the published scores
  A: { firstCentre: 'choice', cumulative: 'float64', batch: 'randint' },
  // 1.8
  A1: { firstCentre: 'choice', cumulative: 'float32', batch: 'randint' },
  // ≥ 1.9
  B: { firstCentre: 'choice', cumulative: 'float32', batch: 'choice' },
} as const satisfies Record<string, Rules>

/** Versions of scikit-learn whose k-means draws alike. */
export type KMeansProfile = keyof typeof profiles
export const kmeansProfiles = Object.keys(profiles) as readonly KMeansProfile[]

export interface KMeansOptions {
  clusters: number
  batchSize: number
  /** Drawn from in scikit-learn's order; it is left where the fit ends. */
  generator: RandomState
  profile?: KMeansProfile | undefined
  /** Passes over the rows after which a fit ends at the latest. */
  maxIterations?: number | undefined
  signal?: AbortSignal | undefined
}

export interface KMeans {
  /** Cluster of every entry of `ids`. */
  readonly labels: Int32Array
  /** [clusters × width] */
  readonly centres: Matrix
  /** Σ squared distance to the own centre. */
  readonly inertia: number
  /** Mini-batches or iterations that were run. */
  readonly steps: number
}

/** Share of the heaviest cluster's weight below which a cluster is given another centre. */
const reassignmentRatio = Math.fround(0.01)
const patience = 10

/**
 * Mini-batch k-means as scikit-learn runs it, draw for draw, over the rows of `x` at `ids`; an id that is repeated
 * counts as a row of its own. `profile` names the version of scikit-learn. Throws `task.value` for more clusters than
 * rows.
 *
 * @example
 * ```ts
 * import { matrix, miniBatchKMeans, randomState } from 'strata-lm/linalg'
 *
 * const x = matrix(4, 1, Float32Array.of(0, 0.1, 10, 10.1))
 * const { labels } = await miniBatchKMeans(x, Int32Array.of(0, 1, 2, 3), {
 *   clusters: 2,
 *   batchSize: 4,
 *   generator: randomState(42),
 * })
 * console.log(labels[0] === labels[1], labels[1] === labels[2]) // → true false
 * ```
 */
export async function miniBatchKMeans(
  x: Matrix,
  ids: Int32Array,
  { clusters, batchSize, generator, profile = 'A', maxIterations = 100, signal }: KMeansOptions,
): Promise<KMeans> {
  const n = ids.length
  if (!(clusters >= 1 && clusters <= n))
    throw fault('task.value', { place: 'k-means', what: 'more clusters than rows', seen: { clusters, rows: n } })
  const rules: Rules = profiles[profile]
  const batch = Math.min(batchSize, n)
  const draw = (size: number): Int32Array => Int32Array.from(generator.randint(0, n, size))

  const initSize = Math.min(3 * batch < clusters ? 3 * clusters : 3 * batch, n)
  // rows to compare several starts by: of one start they are drawn and not used
  draw(initSize)
  const initIds = initSize < n ? draw(initSize).map((i) => ids[i]!) : ids
  const seeds = await seedCentres(x, initIds, clusters, generator, rules)
  let centres = matrix(clusters, x.width)
  seeds.forEach((id, c) => centres.data.set(x.data.subarray(id * x.width, (id + 1) * x.width), c * x.width))
  let next = matrix(clusters, x.width)

  const weights = new Float32Array(clusters)
  const drawBatch = rules.batch === 'choice' ? uniformChoice(n, generator) : draw
  const converged = earlyStop(batch, n)
  const limit = Math.floor((maxIterations * n) / batch)
  let sinceReassignment = 0
  let steps = 0
  while (steps < limit) {
    signal?.throwIfAborted()
    const rows = drawBatch(batch).map((i) => ids[i]!)
    sinceReassignment += batch
    const reassign = weights.includes(0) || sinceReassignment >= 10 * clusters
    if (reassign) sinceReassignment = 0
    const { labels, inertia } = await nearestCentres(x, rows, centres)
    moveCentres(x, rows, labels, { centres, next, weights })
    if (reassign) reassignLight(x, rows, next, weights, generator)
    ;[centres, next] = [next, centres]
    steps++
    if (converged(inertia)) break
  }
  const { labels, inertia } = await nearestCentres(x, ids, centres, signal)
  return { labels, centres, inertia, steps }
}

/** `choice` with equal probabilities, which scikit-learn holds in float32. */
function uniformChoice(n: number, generator: RandomState): (size: number) => Int32Array {
  const share = Math.fround(1 / n)
  const cumulative = new Float64Array(n)
  let sum = 0
  for (let i = 0; i < n; i++) cumulative[i] = sum += share
  for (let i = 0; i < n; i++) cumulative[i]! /= sum
  return (size) =>
    Int32Array.from(generator.randomSample(size), (uniform) => {
      let [low, high] = [0, n]
      while (low < high) {
        const middle = (low + high) >>> 1
        if (cumulative[middle]! <= uniform) low = middle + 1
        else high = middle
      }
      return low
    })
}

/**
 * Whether the smoothed inertia has not fallen for ten steps; the first step, which is the start's inertia, does not
 * count.
 */
function earlyStop(batch: number, n: number): (inertia: number) => boolean {
  const alpha = Math.min((batch * 2) / (n + 1), 1)
  let first = true
  let smoothed: number | undefined
  let least = Infinity
  let waited = 0
  return (inertia) => {
    if (first) {
      first = false
      return false
    }
    const own = inertia / batch
    smoothed = smoothed === undefined ? own : smoothed * (1 - alpha) + own * alpha
    if (smoothed < least) {
      least = smoothed
      waited = 0
    } else waited++
    return waited >= patience
  }
}

/**
 * next ← the mean of what each cluster has seen so far and now, in float32 and in the order of the rows; a cluster that
 * got nothing stays.
 */
function moveCentres(
  x: Matrix,
  ids: Int32Array,
  labels: Int32Array,
  { centres, next, weights }: { centres: Matrix; next: Matrix; weights: Float32Array },
): void {
  const { width } = x
  const counts = new Int32Array(centres.rows)
  for (const label of labels) counts[label]! += 1
  for (let c = 0; c < centres.rows; c++) {
    const weight = counts[c] === 0 ? 1 : weights[c]!
    for (let k = c * width; k < (c + 1) * width; k++) next.data[k] = centres.data[k]! * weight
  }
  for (let i = 0; i < ids.length; i++) {
    const [from, to] = [ids[i]! * width, labels[i]! * width]
    for (let k = 0; k < width; k++) next.data[to + k]! += x.data[from + k]!
  }
  for (let c = 0; c < centres.rows; c++) {
    if (counts[c] === 0) continue
    weights[c]! += counts[c]!
    const share = Math.fround(1 / weights[c]!)
    for (let k = c * width; k < (c + 1) * width; k++) next.data[k]! *= share
  }
}

/** Clusters of too little weight – the lightest, at most as many as half a batch – are put on rows of the batch. */
function reassignLight(
  x: Matrix,
  ids: Int32Array,
  centres: Matrix,
  weights: Float32Array,
  generator: RandomState,
): void {
  const floor = Math.fround(reassignmentRatio * weights.reduce((most, weight) => Math.max(most, weight), 0))
  const order = Array.from(weights, (_, c) => c).sort((a, b) => weights[a]! - weights[b]! || a - b)
  const light = new Set(order.filter((c) => weights[c]! < floor))
  if (light.size > 0.5 * ids.length) for (const c of order.slice(Math.floor(0.5 * ids.length))) light.delete(c)
  if (light.size === 0) return
  const picks = generator.choice(ids.length, light.size, { replace: false })
  const chosen = [...light].sort((a, b) => a - b)
  chosen.forEach((c, i) =>
    centres.data.set(x.data.subarray(ids[picks[i]!]! * x.width, (ids[picks[i]!]! + 1) * x.width), c * x.width),
  )
  const least = weights.reduce((found, weight, c) => (light.has(c) ? found : Math.min(found, weight)), Infinity)
  for (const c of chosen) weights[c] = least
}
