/** Mutual nearest neighbours: do two layers put the same texts near a text? */
import type { Matrix } from '#core'
import { timesTransposed, unitRows64 } from '#platform/linalg'
import { meanOverlap, type Marked } from './jaccard.ts'
import { pairwise, type Similarity } from './similarity.ts'

/** Neighbours of a text. */
const neighbours = 10
/** Texts whose neighbours are looked for at a time. */
const blockRows = 256

/**
 * Mean over texts of the share of their 10 nearest others by cosine that two layers have in common; with n texts at
 * most n − 1 are near. The first of equally near ones count.
 */
export const mutual_knn: Similarity = {
  name: 'mutual_knn',
  title: 'mutual_kNN',
  reference: 'Huh et al. 2024, https://arxiv.org/abs/2405.07987, with k = 10',
  range: [0, 1],
  symmetric: true,
  widths: 'any',
  between: pairwise<Marked>({
    symmetric: true,
    ready: nearest,
    pair: (x, y) => meanOverlap(x, y, (shared, k) => shared / k),
  }),
}

async function nearest(layer: Matrix): Promise<Marked> {
  const unit = unitRows64(layer)
  const { rows, width } = unit
  const k = Math.max(0, Math.min(neighbours, rows - 1))
  const indexes = new Uint32Array(rows * k)
  if (k === 0) return { indexes, k, rows }
  for (let from = 0; from < rows; from += blockRows) {
    const to = Math.min(rows, from + blockRows)
    const cosines = await timesTransposed(
      { rows: to - from, width, data: unit.data.subarray(from * width, to * width) },
      unit,
    )
    for (let i = from; i < to; i++)
      indexes.set(topOf(cosines.subarray((i - from) * rows, (i - from + 1) * rows), i, k), i * k)
  }
  return { indexes, k, rows }
}

/** Ascending indexes of the k largest values but `self`'s. */
function topOf(values: Float64Array, self: number, k: number): Uint32Array {
  const kept: number[] = []
  for (let j = 0; j < values.length; j++) {
    if (j === self) continue
    if (kept.length === k && !(values[j]! > values[kept[k - 1]!]!)) continue
    let at = Math.min(kept.length, k - 1)
    while (at > 0 && values[kept[at - 1]!]! < values[j]!) {
      kept[at] = kept[at - 1]!
      at--
    }
    kept[at] = j
  }
  return Uint32Array.from(kept).sort()
}
