/**
 * Semantic textual similarity: correlation of the model's similarities with people's (mteb `AnySTSEvaluator`,
 * `AbsTaskSTS`).
 */
import { fault, matrix } from '#core'
import { averageRanks, pearson } from '#platform/linalg'
import type { StsPart } from '#task/rows'
import { type Context, embedFinite, type PartScores } from './part-scores.ts'
import { pairedScores } from './similarity.ts'

export async function scoreSts(
  { sentence1, sentence2, score, subset, split }: StsPart,
  context: Context,
): Promise<PartScores> {
  const both = await embedFinite(context, [...sentence1, ...sentence2])
  const cut = sentence1.length * both.width
  const first = matrix(sentence1.length, both.width, both.data.subarray(0, cut))
  const second = matrix(sentence2.length, both.width, both.data.subarray(cut))

  const { similarity, cosine, manhattan, euclidean } = pairedScores(first, second, context, ['manhattan', 'euclidean'])
  const similarities = {
    '': similarity,
    cosine_: cosine,
    manhattan_: negative(manhattan),
    euclidean_: negative(euclidean),
  }
  const place = `${context.task.name} › ${subset} › ${split}`
  if (score.every((value) => value === score[0]))
    throw fault('task.value', { place, what: 'every pair has the same gold score', seen: score[0] })
  if (cosine.every((value) => value === cosine[0]))
    throw fault('task.value', { place, what: 'the model finds every pair equally similar', seen: cosine[0] })
  const ranks = averageRanks(score)
  const metrics = Object.fromEntries(
    Object.entries(similarities).flatMap(([prefix, values]) => [
      [`${prefix}pearson`, defined(pearson(score, values))],
      [`${prefix}spearman`, defined(pearson(ranks, averageRanks(values)))],
    ]),
  )
  return { metrics, columns: { cosine, gold: score } }
}

function negative(distances: Float32Array): Float32Array {
  for (let i = 0; i < distances.length; i++) distances[i] = -distances[i]!
  return distances
}

function defined(value: number): number | null {
  return Number.isNaN(value) ? null : value
}
