// A similarity: the share of texts whose nearest other text, by Euclidean distance, is the same in both layers.
// strata similarity ./model --texts texts.txt --metrics same_nearest --plugin examples/plugins/similarity.ts
import { defineSimilarity, type Matrix } from 'strata-lm/plugin'

function nearest({ rows, width, data }: Matrix): number[] {
  const gap = (i: number, j: number): number =>
    Array.from({ length: width }, (_, k) => ((data[i * width + k] ?? 0) - (data[j * width + k] ?? 0)) ** 2).reduce(
      (sum, value) => sum + value,
      0,
    )
  const texts = Array.from({ length: rows }, (_, i) => i)
  return texts.map((i) =>
    texts.reduce((best, j) => (j !== i && (best === i || gap(i, j) < gap(i, best)) ? j : best), i),
  )
}

export const sameNearest = defineSimilarity({
  name: 'same_nearest',
  range: [0, 1],
  symmetric: true,
  widths: 'any',
  pair(x, y) {
    const others = nearest(y)
    return nearest(x).filter((j, i) => j === others[i]).length / Math.max(1, x.rows)
  },
})
