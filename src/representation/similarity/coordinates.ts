/**
 * Similarities of coordinates: the mean over texts of how two vectors of one text agree. Only layers of one model share
 * coordinates.
 */
import type { Matrix, Matrix64 } from '#core'
import { unitRows64 } from '#platform/linalg'
import { standardisedRows } from './rsa.ts'
import { checkWidths, pairwise, type Similarity } from './similarity.ts'

/** Mean over texts of Pearson's correlation of the two vectors. */
export const correlation: Similarity = overTexts({
  name: 'correlation',
  title: 'correlation',
  prepared: standardisedRows,
})

/** Mean over texts of the cosine of the two vectors; a vector of zeros is like nothing. */
export const cosine: Similarity = overTexts({ name: 'cosine', title: 'cosine', prepared: unitRows64 })

function overTexts({
  name,
  title,
  prepared,
}: {
  name: string
  title: string
  prepared: (layer: Matrix) => Matrix64
}): Similarity {
  const between = pairwise<Matrix64>({
    symmetric: true,
    ready: prepared,
    pair(x, y) {
      let sum = 0
      for (let i = 0; i < x.data.length; i++) sum += x.data[i]! * y.data[i]!
      return sum / x.rows
    },
  })
  return {
    name,
    title,
    reference: `mean over texts of the ${name} between their two vectors`,
    range: [-1, 1],
    symmetric: true,
    widths: 'equal',
    between(xs, ys) {
      checkWidths(name, xs, ys)
      return between(xs, ys)
    },
  }
}
