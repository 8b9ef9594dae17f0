/** Representational similarity analysis: do two layers order the pairs of texts alike? */
import { type Matrix, type Matrix64, mean } from '#core'
import { averageRanks, timesTransposed } from '#platform/linalg'
import { pairwise, type Similarity } from './similarity.ts'

interface Ranked {
  /**
   * Twice the average rank of each pair i < j, a whole number: exact in float32 up to 4,096 texts, in float64 beyond.
   */
  readonly doubled: Float32Array | Float64Array
  /** Σ (rank − mean)², of doubled ranks. */
  readonly spread: number
}

/**
 * Spearman's correlation of the dissimilarities 1 − Pearson between all pairs of texts; without variance on a side: 0.
 */
export const rsa: Similarity = {
  name: 'rsa',
  title: 'RSA',
  reference: 'Kriegeskorte et al. 2008; dissimilarity 1 − r, compared by rank',
  range: [-1, 1],
  symmetric: true,
  widths: 'any',
  between: pairwise<Ranked>({
    symmetric: true,
    async ready(layer) {
      const ranks = averageRanks(await dissimilarities(layer))
      const doubled = ranks.length <= 2 ** 23 ? new Float32Array(ranks.length) : new Float64Array(ranks.length)
      const mean = ranks.length + 1
      let spread = 0
      for (let i = 0; i < ranks.length; i++) {
        doubled[i] = 2 * ranks[i]!
        spread += (2 * ranks[i]! - mean) ** 2
      }
      return { doubled, spread }
    },
    pair(x, y) {
      const scale = Math.sqrt(x.spread * y.spread)
      if (!(scale > 0)) return 0
      const [a, b] = [x.doubled, y.doubled]
      const mean = a.length + 1
      let sum = 0
      for (let i = 0; i < a.length; i++) sum += (a[i]! - mean) * (b[i]! - mean)
      return Math.max(-1, Math.min(1, sum / scale))
    },
  }),
}

/**
 * 1 − Pearson's correlation of the texts' coordinates, for each pair i < j, row by row. A text whose coordinates are
 * all the same correlates with nothing.
 */
export async function dissimilarities(layer: Matrix): Promise<Float64Array> {
  const unit = standardisedRows(layer)
  const { rows, width } = unit
  const out = new Float64Array((rows * (rows - 1)) / 2)
  let at = 0
  for (let from = 0; from < rows; from += blockRows) {
    const to = Math.min(rows, from + blockRows)
    const block = await timesTransposed(
      { rows: to - from, width, data: unit.data.subarray(from * width, to * width) },
      unit,
    )
    for (let i = from; i < to; i++) for (let j = i + 1; j < rows; j++) out[at++] = 1 - block[(i - from) * rows + j]!
  }
  return out
}
const blockRows = 512

/** Rows without their mean, of length 1; a constant row becomes zero. */
export function standardisedRows({ rows, width, data }: Matrix): Matrix64 {
  const out = Float64Array.from(data)
  for (let i = 0; i < rows; i++) {
    const own = out.subarray(i * width, (i + 1) * width)
    const middle = mean(own)
    let squares = 0
    for (let k = 0; k < width; k++) {
      own[k]! -= middle
      squares += own[k]! ** 2
    }
    const norm = Math.sqrt(squares)
    for (let k = 0; k < width; k++) own[k] = norm === 0 ? 0 : own[k]! / norm
  }
  return { rows, width, data: out }
}
