/**
 * Sets of labels by the five nearest training texts, by a majority per label, ten times (mteb
 * `AbsTaskMultilabelClassification`).
 */
import { compareCodePoints, compensatedMean, fault } from '#core'
import { nearestNeighbours } from '#platform/linalg'
import { type Label, type MultilabelPart, sampledRows } from '#task/rows'
import { guarded } from './constant.ts'
import { type LabelTable, multilabelScores, type MultilabelScores } from './multilabel-scores.ts'
import { type Context, embedFinite, type PartScores } from './part-scores.ts'

const neighbours = 5
/** Texts whose vectors are held at once while predicting. */
const blockTexts = 50_000

export async function scoreMultilabel(
  { train, test, experiments, subset, split }: MultilabelPart,
  context: Context,
): Promise<PartScores> {
  const place = `${context.task.name} › ${subset} › ${split}`
  // labels that only the training texts have are not asked about
  const rank = new Map(sorted(test.labels.flat()).map((label, i) => [label, i]))
  if (rank.size < 2)
    throw fault('task.label', { place, what: 'the split has fewer than two labels', seen: [...rank.keys()] })
  const tableOf = (lists: readonly (readonly Label[])[]): LabelTable => {
    const data = new Uint8Array(lists.length * rank.size)
    lists.forEach((list, i) => list.forEach((label) => rank.has(label) && (data[i * rank.size + rank.get(label)!] = 1)))
    return { rows: lists.length, labels: rank.size, data }
  }

  const guard = guarded(context)
  const rows = sampledRows(experiments)
  const position = new Map(rows.map((row, i) => [row, i]))
  const known = tableOf(rows.map((row) => train.labels[row] ?? []))
  const among = await embedFinite(
    guard.context,
    rows.map((row) => train.texts[row] ?? ''),
  )
  const groups = experiments.map((sample) => sample.map((row) => position.get(row) ?? 0))
  const truth = tableOf(test.labels)
  const predicted = experiments.map((): LabelTable => ({ ...truth, data: new Uint8Array(truth.data.length) }))
  for (let start = 0; start < test.texts.length; start += blockTexts) {
    const vectors = await embedFinite(guard.context, test.texts.slice(start, start + blockTexts))
    const found = await nearestNeighbours(vectors, among, groups, { neighbours, signal: context.signal })
    groups.forEach((group, g) => vote(found[g]!, group, known, predicted[g]!.data.subarray(start * rank.size)))
  }
  guard.refuse(place)
  const scores = predicted.map((table) => multilabelScores(truth, table))
  return { metrics: summary(scores, context), columns: { correct: correctShare(truth, predicted) } }
}

/** A label that more than half of the neighbours have. */
function vote(found: Int32Array, group: readonly number[], { labels, data }: LabelTable, out: Uint8Array): void {
  const counts = new Uint8Array(labels)
  for (let i = 0; i < found.length / neighbours; i++) {
    counts.fill(0)
    for (let j = i * neighbours; j < (i + 1) * neighbours; j++) {
      const from = group[found[j]!]! * labels
      for (let k = 0; k < labels; k++) counts[k]! += data[from + k]!
    }
    for (let k = 0; k < labels; k++) out[i * labels + k] = Number(counts[k]! > neighbours / 2)
  }
}

function sorted(labels: readonly Label[]): Label[] {
  return [...new Set(labels)].sort((a, b) =>
    typeof a === 'number' && typeof b === 'number' ? a - b : compareCodePoints(String(a), String(b)),
  )
}

/** Share of the experiments in which each row's labels are all right. */
function correctShare({ rows, labels, data }: LabelTable, predicted: readonly LabelTable[]): Float64Array {
  return Float64Array.from({ length: rows }, (_, i) => {
    const own = data.subarray(i * labels, (i + 1) * labels)
    const right = predicted.filter((table) => own.every((is, k) => table.data[i * labels + k] === is))
    return right.length / predicted.length
  })
}

function summary(scores: readonly MultilabelScores[], { profile }: Context): Record<string, unknown> {
  const named = (
    names: readonly (keyof MultilabelScores)[],
  ): { means: Record<string, number>; experiments: Record<string, number>[] } => ({
    means: Object.fromEntries(names.map((name) => [name, compensatedMean(scores.map((own) => own[name]))])),
    experiments: scores.map((own) => Object.fromEntries(names.map((name) => [name, own[name]]))),
  })
  switch (profile) {
    case 'mteb-1': {
      const { means, experiments } = named(['accuracy', 'f1', 'lrap'])
      return { ...means, scores_per_experiment: experiments }
    }
    case 'mteb-2': {
      const { means, experiments } = named(['accuracy', 'lrap', 'f1', 'hamming'])
      return { scores_per_experiment: experiments, ...means }
    }
    default:
      return profile satisfies never
  }
}
