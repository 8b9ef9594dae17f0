/**
 * Pair classification: how well a similarity tells pairs that belong together from others (mteb
 * `AbsTaskPairClassification`, `PairClassificationEvaluator`).
 */
import { fault, matrix, type Matrix } from '#core'
import type { Profile, PairPart } from '#task/rows'
import { averagePrecision } from './confusion.ts'
import { guarded } from './constant.ts'
import { type Context, embedFinite, type PartScores } from './part-scores.ts'
import { pairedScores } from './similarity.ts'

const measures = ['accuracy', 'f1', 'precision', 'recall', 'ap'] as const
type Measure = (typeof measures)[number]

export async function scorePairs(part: PairPart, context: Context): Promise<PartScores> {
  const { labels, subset, split } = part
  const place = `${context.task.name} › ${subset} › ${split}`
  const guard = guarded(context)
  const [first, second] = await bothSides(part, guard.context)
  guard.refuse(place)
  const compared = pairedScores(first, second, context, ['manhattan', 'euclidean', 'dot'])
  // the sign turns a distance into a similarity
  const ways = [
    ['similarity', 1],
    ['cosine', 1],
    ['manhattan', -1],
    ['euclidean', -1],
    ['dot', 1],
  ] as const
  const metrics: Record<string, number> = {}
  const best: Record<Measure, number> = {
    accuracy: -Infinity,
    f1: -Infinity,
    precision: -Infinity,
    recall: -Infinity,
    ap: -Infinity,
  }
  for (const [way, sign] of ways) {
    const values = compared[way]
    if (!values.every(Number.isFinite)) throw fault('task.value', { place, what: `the ${way} of a pair is not finite` })
    const scores = wayScores(values, sign, labels, context.profile)
    for (const [name, value] of Object.entries(scores)) metrics[`${way}_${name}`] = value
    for (const measure of measures) best[measure] = Math.max(best[measure], scores[measure])
  }
  for (const measure of measures) metrics[`max_${measure}`] = best[measure]
  return { metrics, columns: { cosine: compared.cosine, label: labels } }
}

/** The two columns; sides of one kind are encoded together, so that a text which is in both is encoded once. */
async function bothSides(
  { sentence1, sentence2, promptType1, promptType2 }: PairPart,
  context: Context,
): Promise<[Matrix, Matrix]> {
  if (promptType1 !== promptType2)
    return [await embedFinite(context, sentence1, promptType1), await embedFinite(context, sentence2, promptType2)]
  const { width, data } = await embedFinite(context, [...sentence1, ...sentence2], promptType1)
  const cut = sentence1.length * width
  return [matrix(sentence1.length, width, data.subarray(0, cut)), matrix(sentence2.length, width, data.subarray(cut))]
}

type WayScores = Record<Measure, number> & { accuracy_threshold?: number; f1_threshold?: number }

/** Fields in mteb's order; only 1.x stores the thresholds. */
function wayScores(values: Float32Array, sign: 1 | -1, labels: readonly number[], profile: Profile): WayScores {
  const { accuracy, accuracyThreshold, f1, f1Threshold, precision, recall } = bestCuts(values, sign, labels, profile)
  const positive = labels.map((label) => label === 1)
  const ap = averagePrecision(
    positive,
    values.map((value) => sign * value),
  )
  switch (profile) {
    case 'mteb-2':
      return { accuracy, f1, precision, recall, ap }
    case 'mteb-1':
      return { accuracy, accuracy_threshold: accuracyThreshold, f1, f1_threshold: f1Threshold, precision, recall, ap }
    default:
      return profile satisfies never
  }
}

interface Cuts {
  accuracy: number
  accuracyThreshold: number
  f1: number
  f1Threshold: number
  precision: number
  recall: number
}

/**
 * The cuts of best accuracy and of best F1 among those between two neighbours of the ranking; the first of equals wins,
 * and the cut behind the last pair is never tried. Since 2.26 a cut cannot part equal scores; 1.x parts them in the
 * order of the rows.
 */
function bestCuts(values: Float32Array, sign: 1 | -1, labels: readonly number[], profile: Profile): Cuts {
  const order = Uint32Array.from(values, (_, i) => i).sort((a, b) => sign * (values[b]! - values[a]!) || a - b)
  const positives = labels.reduce((sum, label) => sum + label, 0)
  const best: Cuts = { accuracy: 0, accuracyThreshold: -1, f1: 0, f1Threshold: 0, precision: 0, recall: 0 }
  let [found, negativesBelow] = [0, labels.length - positives]
  for (let i = 0; i + 1 < order.length; i++) {
    const [value, next] = [values[order[i]!]!, values[order[i + 1]!]!]
    if (labels[order[i]!] === 1) found++
    else negativesBelow--
    if (profile === 'mteb-2' && value === next) continue
    const threshold = Math.fround(Math.fround(value + next) / 2)
    const accuracy = (found + negativesBelow) / labels.length
    if (accuracy > best.accuracy) Object.assign(best, { accuracy, accuracyThreshold: threshold })
    if (found === 0) continue
    const [precision, recall] = [found / (i + 1), found / positives]
    const f1 = (2 * precision * recall) / (precision + recall)
    if (f1 > best.f1) Object.assign(best, { f1, precision, recall, f1Threshold: threshold })
  }
  return best
}
