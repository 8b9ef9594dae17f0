/**
 * Draws from the normal distribution with the mean and covariance of the model's rows: new tokens then change the
 * partition function little. Hewitt 2021. The covariance's root is taken from its eigenvectors, so that fewer rows than
 * dimensions do no harm; mergekit, which needs a positive definite one, stops there.
 */
import type { Matrix64 } from '#core'
import { scaleColumns, symmetricEigen, timesTransposed, transposed } from '#platform/linalg'
import type { Approximation } from '../approximation.ts'
import { crossProduct } from '../moments.ts'
import { meanRow } from '../rows.ts'

export const johnHewitt: Approximation = {
  name: 'john_hewitt',
  reference: 'https://nlp.stanford.edu/~johnhew/vocab-expansion.html',
  summary: "normal deviates with the mean and covariance of the model's rows",
  looksAt: 'model',
  random: true,
  async prepare({ model, normal }) {
    const { width } = model
    const center = await meanRow(model)
    const covariance = new Float64Array(width * width)
    for await (const block of model.blocks()) {
      const { data } = await crossProduct(block, center, block, center)
      for (let i = 0; i < data.length; i++) covariance[i] = covariance[i]! + data[i]! / model.count
    }
    const root = await rootOf({ rows: width, width, data: covariance })
    return async (from, to) => {
      const drawn = new Float64Array((to - from) * width)
      normal(from * width, drawn)
      const data = await timesTransposed({ rows: to - from, width, data: drawn }, root)
      return data.map((value, i) => value + center[i % width]!)
    }
  },
}

/** A with A Aᵀ the matrix: its eigenvectors by the roots of their eigenvalues. */
async function rootOf(matrix: Matrix64): Promise<Matrix64> {
  const { values, vectors } = await symmetricEigen(matrix)
  return scaleColumns(
    transposed(vectors),
    Float64Array.from(values, (value) => Math.sqrt(Math.max(0, value))),
  )
}
