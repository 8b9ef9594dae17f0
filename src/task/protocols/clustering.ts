/**
 * Clustering by samples: ten of them a level, drawn with replacement, each clustered and compared with the labels (mteb
 * `AbsTaskClustering`, in 1.x
 * `AbsTaskClusteringFast`).
 */
import { compensatedDeviation, compensatedMean, fault, type Matrix } from '#core'
import { type RandomState, randomState } from '#platform/random'
import { miniBatchKMeans } from '#platform/linalg'
import type { ClusteringPart, Label } from '#task/rows'
import { agreement } from './agreement.ts'
import { guarded } from './constant.ts'
import { type Context, embedFinite, type PartScores, type Scorer } from './part-scores.ts'

/** Scores of every sample, level by level. */
type ByLevel = Record<string, number[]>

export const clusteringScorer: Scorer<ClusteringPart> = (context) => {
  // 1.x gives its fits no seed: they draw on from one global generator
  const shared = context.profile === 'mteb-1' ? randomState(42) : undefined
  return (part) => scoreClustering(part, context, shared)
}

async function scoreClustering(
  part: ClusteringPart,
  context: Context,
  shared: RandomState | undefined,
): Promise<PartScores> {
  const { n_clusters: fits, max_documents_per_cluster: size, k_mean_batch_size: batchSize } = context.task.params
  const guard = guarded(context)
  const vectors = await embedFinite(guard.context, part.texts)
  guard.refuse(`${context.task.name} › ${part.subset} › ${part.split}`)
  const generator = part.generator()
  const scores: { v_measure: ByLevel; ami: ByLevel } = { v_measure: {}, ami: {} }
  const columns = { level: [] as string[], v_measure: [] as number[], ami: [] as number[] }
  for (let level = 0; level < part.levels; level++) {
    const name = `Level ${level}`
    const { rows, classes, count } = labelled(part.labels, level)
    if (count > size)
      throw fault('task.value', {
        place: `${context.task.name} › ${name}`,
        what: 'a sample has fewer documents than there are labels',
        seen: { size, labels: count },
      })
    for (let fit = 0; fit < fits; fit++) {
      const drawn = generator.choices(rows.length, size)
      const { labels } = await clustered(vectors, rows, drawn, {
        clusters: count,
        batchSize,
        generator: shared ?? randomState(42),
        ...context,
      })
      const { v_measure, ami } = agreement(
        drawn.map((i) => classes[i]!),
        labels,
      )
      ;(scores.v_measure[name] ??= []).push(v_measure)
      ;(scores.ami[name] ??= []).push(ami)
      columns.level.push(name)
      columns.v_measure.push(v_measure)
      columns.ami.push(ami)
    }
  }
  return { metrics: summary(scores, context), columns }
}

interface Fit extends Pick<Context, 'kmeans' | 'signal'> {
  clusters: number
  batchSize: number
  generator: RandomState
}

function clustered(
  vectors: Matrix,
  rows: Int32Array,
  drawn: readonly number[],
  { clusters, batchSize, generator, kmeans, signal }: Fit,
): ReturnType<typeof miniBatchKMeans> {
  const ids = Int32Array.from(drawn, (i) => rows[i]!)
  return miniBatchKMeans(vectors, ids, { clusters, batchSize, generator, profile: kmeans, signal })
}

/**
 * Documents that have a label at a level, and those labels as numbers from 0. In the reference a missing label is −1
 * and leaves its document out; among texts that −1 becomes a text, and the documents without a label are a class of
 * their own.
 */
function labelled(
  labels: readonly (readonly Label[])[],
  level: number,
): { rows: Int32Array; classes: Int32Array; count: number } {
  const own = labels.map((levels) => levels[level])
  const textual = own.some((label) => typeof label === 'string')
  const numbers = new Map<Label, number>()
  const [rows, classes]: [number[], number[]] = [[], []]
  own.forEach((found, row) => {
    const label = textual ? String(found ?? -1) : (found ?? -1)
    if (label === -1) return
    if (!numbers.has(label)) numbers.set(label, numbers.size)
    rows.push(row)
    classes.push(numbers.get(label)!)
  })
  if (rows.length === 0)
    throw fault('task.label', { place: `Level ${level}`, what: 'no document has a label at this level' })
  return { rows: Int32Array.from(rows), classes: Int32Array.from(classes), count: numbers.size }
}

function summary(
  { v_measure: v, ami }: { v_measure: ByLevel; ami: ByLevel },
  { profile }: Context,
): Record<string, unknown> {
  const [own, other] = [Object.values(v).flat(), Object.values(ami).flat()]
  const basic = { v_measures: v, v_measure: compensatedMean(own), v_measure_std: compensatedDeviation(own) }
  switch (profile) {
    case 'mteb-1':
      return basic
    case 'mteb-2':
      return { ...basic, ami_scores: ami, ami: compensatedMean(other), ami_std: compensatedDeviation(other) }
    default:
      return profile satisfies never
  }
}
