/** Overlap of the largest coordinates: do two layers put a text's weight in the same places? */
import type { Matrix } from '#core'
import { checkWidths, pairwise, type Similarity } from './similarity.ts'

/** k things that each text points at. */
export interface Marked {
  /** [texts × k], ascending in each row. */
  readonly indexes: Uint32Array
  readonly k: number
  readonly rows: number
}

/** k = max(1, min(100, ⌊width / 10⌋)) of each vector; mean over texts of |∩| / |∪|. The first of equal values count. */
export const jaccard: Similarity = {
  name: 'jaccard',
  title: 'JaccardSimilarity',
  reference: 'mean over texts of the Jaccard index of the k largest coordinates',
  range: [0, 1],
  symmetric: true,
  widths: 'equal',
  between(xs, ys) {
    checkWidths('jaccard', xs, ys)
    return overlaps(xs, ys)
  },
}

const overlaps = pairwise<Marked>({
  symmetric: true,
  ready: largest,
  pair: (x, y) => meanOverlap(x, y, (shared, k) => shared / (2 * k - shared)),
})

function largest({ rows, width, data }: Matrix): Marked {
  const k = Math.max(1, Math.min(100, Math.floor(width / 10)))
  const indexes = new Uint32Array(rows * k)
  for (let i = 0; i < rows; i++) {
    const row = data.subarray(i * width, (i + 1) * width)
    // sorted without a comparator: a third of the time that sorting places takes
    const sorted = row.slice().sort()
    const least = sorted[width - k]!
    let ties = k - (width - firstAbove(sorted, least))
    let at = i * k
    for (let place = 0; place < width; place++) {
      const value = row[place]!
      if (value > least || (value === least && ties-- > 0)) indexes[at++] = place
    }
  }
  return { indexes, k, rows }
}

/** Place of the first value above `bound`, from the end. */
function firstAbove(ascending: ArrayLike<number>, bound: number): number {
  let at = ascending.length
  while (at > 0 && ascending[at - 1]! > bound) at--
  return at
}

/** Mean over texts of a measure of how many of their k marks two layers share; without marks 0. */
export function meanOverlap(x: Marked, y: Marked, measure: (shared: number, k: number) => number): number {
  const { k, rows } = x
  if (k === 0 || rows === 0) return 0
  let sum = 0
  for (let i = 0; i < rows; i++) {
    let shared = 0
    for (let a = i * k, b = i * k; a < (i + 1) * k && b < (i + 1) * k;) {
      const [p, q] = [x.indexes[a]!, y.indexes[b]!]
      if (p === q) shared++
      if (p <= q) a++
      if (q <= p) b++
    }
    sum += measure(shared, k)
  }
  return sum / rows
}
