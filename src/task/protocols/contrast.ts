/**
 * Contrasts: whether a text of the same meaning is more similar to an anchor than texts of the same words that mean
 * something else. Cosines are taken twice, of the vectors as they are and after the mean vector of the task's texts was
 * subtracted from them: a vector that all texts share makes all of them similar, and separates none.
 *
 * The AUC counts, as a guess scores 0.5 whatever the number of negatives, and as it uses every pair.
 */
import { matrix, type Matrix } from '#core'
import type { ContrastPart } from '#task/rows'
import { guarded } from './constant.ts'
import { legacyClusters, legacySimilarities } from './contrast-legacy.ts'
import {
  anchorScores,
  contrastIntervals,
  contrastScoreNames,
  type Contrasts,
  contrastScores,
} from './contrast-scores.ts'
import { type Context, embedFinite, type PartScores } from './part-scores.ts'

export async function scoreContrast(part: ContrastPart, context: Context): Promise<PartScores> {
  const { anchors, positives, negatives, topics, subset, split } = part
  const guard = guarded(context)
  const asked = [...anchors, ...positives, ...negatives.flat()]
  const texts = [...new Set(asked)]
  const places = new Map(texts.map((text, i) => [text, i]))
  const vectors = await embedFinite(guard.context, texts)
  guard.refuse(`${context.task.name} › ${subset} › ${split}`)
  const rowOf = (text: string): number => places.get(text)!
  const contrastsIn = (cosine: (a: number, b: number) => number): Contrasts => ({
    positives: Float64Array.from(anchors, (anchor, i) => cosine(rowOf(anchor), rowOf(positives[i]!))),
    negatives: anchors.map((anchor, i) =>
      Float64Array.from(negatives[i]!, (text) => cosine(rowOf(anchor), rowOf(text))),
    ),
  })
  const plain = contrastsIn(cosines(vectors))
  const centered = contrastsIn(cosines(vectors, meanRow(vectors)))
  const [own, ownCentered] = [anchorScores(plain), anchorScores(centered)]
  const clustered = topics && { texts: [...anchors, ...positives].map(rowOf), topics: [...topics, ...topics] }
  return {
    metrics: {
      ...named(plain, ''),
      ...named(centered, '_centered'),
      ...legacySimilarities(plain),
      ...(clustered && { legacy_clusters: await legacyClusters(taken(vectors, clustered.texts), clustered.topics) }),
    },
    columns: {
      ...Object.fromEntries(contrastScoreNames.map((name) => [`${name}_centered`, ownCentered[name]])),
      ...Object.fromEntries(contrastScoreNames.map((name) => [name, own[name]])),
      auc_centered_part: ownCentered.aucParts,
      auc_part: own.aucParts,
      positive: plain.positives,
      hardest_negative: plain.negatives.map((values) => Math.max(...values)),
    },
  }
}

/** Each score, and the bounds of its interval as `…_low` and `…_high`. */
function named(contrasts: Contrasts, suffix: string): Record<string, number> {
  const scores = contrastScores(contrasts)
  const intervals = contrastIntervals(contrasts)
  return Object.fromEntries(
    contrastScoreNames.flatMap((name) => {
      const bounds = intervals?.[name]
      return [
        [`${name}${suffix}`, scores[name]],
        ...(bounds === undefined
          ? []
          : [
              [`${name}${suffix}_low`, bounds.low],
              [`${name}${suffix}_high`, bounds.high],
            ]),
      ]
    }),
  )
}

/**
 * Cosine of two rows, after `origin` [width] was subtracted from both; 0 where one of them is nothing. In float64:
 * the differences within a narrow cone are small.
 */
function cosines(
  { width, data }: Matrix,
  origin: ArrayLike<number> = new Float64Array(width),
): (a: number, b: number) => number {
  return (a, b) => {
    let [dot, one, other] = [0, 0, 0]
    for (let k = 0; k < width; k++) {
      const x = data[a * width + k]! - origin[k]!
      const y = data[b * width + k]! - origin[k]!
      dot += x * y
      one += x * x
      other += y * y
    }
    return one === 0 || other === 0 ? 0 : dot / Math.sqrt(one * other)
  }
}

function meanRow({ rows, width, data }: Matrix): Float64Array {
  const sum = new Float64Array(width)
  for (let at = 0; at < rows * width; at++) sum[at % width] = sum[at % width]! + data[at]!
  return sum.map((value) => value / rows)
}

function taken({ width, data }: Matrix, rows: readonly number[]): Matrix {
  const out = matrix(rows.length, width)
  rows.forEach((row, i) => out.data.set(data.subarray(row * width, (row + 1) * width), i * width))
  return out
}
