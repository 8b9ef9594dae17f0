/**
 * Parts of a score of similarities without contrasts, as an evaluation of static embeddings once computed them: a space
 * in which everything is similar scores high. Shown next to the scores that replace it, for comparison with old numbers.
 */
import { matrix, mean, type Matrix, type Result } from '#core'
import { miniBatchKMeans } from '#platform/linalg'
import { randomState } from '#platform/random'
import type { Contrasts } from './contrast-scores.ts'

export interface LegacyParts {
  /** Mean cosine of anchors and positives. */
  readonly legacy_similarity: number
  /** (mean cosine of positives − mean cosine of negatives + 1) / 2. */
  readonly legacy_separation: number
  /** Mean of the silhouette of the topics and the purity of k-means; only where texts have topics. */
  readonly legacy_clusters?: number
}

/** The older score of one model and representation. */
export interface LegacyScore {
  readonly model: string
  readonly representation: string
  readonly legacy_score: number
}

/** Parts of the older score, each with the task that takes its place. */
const legacyWeights = [
  { task: 'ContrastSemantic', metric: 'legacy_separation', weight: 0.2 },
  { task: 'ContrastClustering', metric: 'legacy_clusters', weight: 0.15 },
  { task: 'ContrastMultilingual', metric: 'legacy_similarity', weight: 0.15 },
  { task: 'ContrastInstruction', metric: 'legacy_similarity', weight: 0.3 },
  { task: 'ContrastConversational', metric: 'legacy_similarity', weight: 0.1 },
  { task: 'ContrastCode', metric: 'legacy_similarity', weight: 0.1 },
] as const satisfies readonly { task: string; metric: keyof LegacyParts; weight: number }[]

/**
 * The weighted sum of six part scores in the order semantic, clustering, multilingual, instruction, conversational,
 * code, with weights .20, .15, .15, .30, .10, .10.
 *
 * @example
 * ```ts
 * import { legacyScore } from 'strata-lm/tasks'
 *
 * console.log(legacyScore([0.5, 0.5, 0.5, 1, 1, 1]).toFixed(2)) // → 0.75
 * ```
 */
export function legacyScore(parts: readonly [number, number, number, number, number, number]): number {
  return legacyWeights.reduce((sum, { weight }, i) => sum + weight * parts[i]!, 0)
}

/**
 * One score per model and representation that has all six tasks among the results.
 *
 * @example
 * ```ts
 * import { findLegacyScores } from 'strata-lm/tasks'
 *
 * // without all six tasks there is no score
 * console.log(findLegacyScores([])) // → []
 * ```
 */
export function findLegacyScores(results: readonly Result[]): LegacyScore[] {
  const found = new Map<string, { result: Result; parts: Map<string, number> }>()
  for (const result of results) {
    const { strata, task_name: task, scores = {} } = result
    const metric = legacyWeights.find((own) => own.task === task)?.metric
    const value = metric === undefined ? undefined : scores['test']?.[0]?.[metric]
    if (typeof value !== 'number') continue
    const key = [strata.model, strata.revision, strata.representation].join(' ')
    const own = found.get(key) ?? { result, parts: new Map<string, number>() }
    own.parts.set(task, value)
    found.set(key, own)
  }
  return [...found.values()].flatMap(({ result: { strata }, parts }) => {
    const [a, b, c, d, e, f] = legacyWeights.map(({ task }) => parts.get(task))
    if ([a, b, c, d, e, f].includes(undefined)) return []
    const score = legacyScore([a!, b!, c!, d!, e!, f!])
    return [{ model: strata.model, representation: strata.representation, legacy_score: score }]
  })
}

export function legacySimilarities({ positives, negatives }: Contrasts): LegacyParts {
  const similar = mean(positives)
  return {
    legacy_similarity: similar,
    legacy_separation: (similar - mean(negatives.flatMap((own) => [...own])) + 1) / 2,
  }
}

/** `vectors`: [texts × width], each with its topic. */
export async function legacyClusters(vectors: Matrix, topics: readonly string[]): Promise<number> {
  return (silhouette(vectors, topics) + (await purityOfKMeans(vectors, topics))) / 2
}

/** Mean over texts of (b − a) / max(a, b), Euclidean; 0 for a text alone in its topic (Rousseeuw 1987). */
export function silhouette({ rows, width, data }: Matrix, topics: readonly string[]): number {
  const sizes = new Map<string, number>()
  for (const topic of topics) sizes.set(topic, (sizes.get(topic) ?? 0) + 1)
  const distance = (i: number, j: number): number => {
    let sum = 0
    for (let k = 0; k < width; k++) sum += (data[i * width + k]! - data[j * width + k]!) ** 2
    return Math.sqrt(sum)
  }
  return mean(
    Array.from({ length: rows }, (_, i) => {
      const own = topics[i]!
      if (sizes.get(own) === 1) return 0
      const sums = new Map<string, number>()
      for (let j = 0; j < rows; j++) sums.set(topics[j]!, (sums.get(topics[j]!) ?? 0) + distance(i, j))
      const inside = sums.get(own)! / (sizes.get(own)! - 1)
      const outside = Math.min(...[...sums].flatMap(([name, sum]) => (name === own ? [] : [sum / sizes.get(name)!])))
      const larger = Math.max(inside, outside)
      return larger === 0 ? 0 : (outside - inside) / larger
    }),
  )
}

/** The best of ten fits, one cluster per topic, each batch all of the rows. */
async function purityOfKMeans(vectors: Matrix, topics: readonly string[]): Promise<number> {
  const generator = randomState(42)
  const ids = Int32Array.from(topics, (_, i) => i)
  const data = matrix(vectors.rows, vectors.width, vectors.data)
  let best: { labels: Int32Array; inertia: number } | undefined
  for (let start = 0; start < 10; start++) {
    const fit = await miniBatchKMeans(data, ids, {
      clusters: new Set(topics).size,
      batchSize: vectors.rows,
      generator,
      profile: 'A',
    })
    if (best === undefined || fit.inertia < best.inertia) best = fit
  }
  return purity(best?.labels ?? ids, topics)
}

/** Share of texts that are of the most frequent topic of their cluster. */
export function purity(clusters: ArrayLike<number>, topics: readonly string[]): number {
  const counts = new Map<number, Map<string, number>>()
  topics.forEach((topic, i) => {
    const own = counts.get(clusters[i]!) ?? new Map<string, number>()
    counts.set(clusters[i]!, own.set(topic, (own.get(topic) ?? 0) + 1))
  })
  return [...counts.values()].reduce((sum, own) => sum + Math.max(...own.values()), 0) / topics.length
}
