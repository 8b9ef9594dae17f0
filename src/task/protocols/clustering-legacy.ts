/**
 * Clustering of whole sets: one k-means and one v-measure per set, and the mean of these (mteb
 * `AbsTaskClusteringLegacy`, `ClusteringEvaluator`; in 1.x `AbsTaskClustering`).
 */
import { compensatedDeviation, compensatedMean } from '#core'
import { randomState } from '#platform/random'
import { miniBatchKMeans } from '#platform/linalg'
import { type ClusterSetsPart, isDivided, type Labelled } from '#task/rows'
import { agreement } from './agreement.ts'
import { guarded } from './constant.ts'
import { type Context, embedFinite, type PartScores } from './part-scores.ts'

const batchSize = 500

export async function scoreClusterSets(
  { sets, subset, split }: ClusterSetsPart,
  context: Context,
): Promise<PartScores> {
  const guard = guarded(context)
  const scores: number[] = []
  // a set with a single label is not clustered: nothing could be wrong
  for (const set of sets) scores.push(isDivided(set) ? await scoreSet(set, guard.context) : 1)
  guard.refuse(`${context.task.name} › ${subset} › ${split}`)
  return {
    metrics: { v_measure: compensatedMean(scores), v_measure_std: compensatedDeviation(scores), v_measures: scores },
    columns: { texts: sets.map(({ texts }) => texts.length), v_measure: scores },
  }
}

async function scoreSet({ texts, labels }: Labelled, context: Context): Promise<number> {
  const vectors = await embedFinite(context, texts)
  const numbers = new Map([...new Set(labels)].map((label, i) => [label, i]))
  const found = await miniBatchKMeans(vectors, Int32Array.from(texts.keys()), {
    clusters: numbers.size,
    batchSize,
    generator: randomState(42),
    profile: context.kmeans,
    signal: context.signal,
  })
  const truth = labels.map((label) => numbers.get(label)!)
  return agreement(truth, found.labels).v_measure
}
