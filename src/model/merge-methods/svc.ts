/**
 * Singular value calibration of a weighted sum of task matrices: directions that several tasks share are damped by how
 * often they were counted. arXiv 2602.05536.
 */
import { scaleColumns, svd, timesTransposed, transposed } from '#platform/linalg'
import { type MergeMethod, numberOf, perModel, shared } from './method.ts'
import { scaled, sumOf } from './iso-c.ts'
import { type Change, matrixKernel } from './whole-matrix.ts'

export const svc: MergeMethod = {
  name: 'svc',
  reference: 'https://arxiv.org/abs/2602.05536',
  base: 'required',
  inputs: [1, Infinity],
  parameters: {
    weight: perModel(1),
    lambda: shared(1),
    alpha: { ...shared(1), help: 'smallest count of a direction' },
  },
  streaming: 'whole',
  tolerance: 'not in mergekit',
  kernel(task) {
    const lambda = numberOf(task.shared, 'lambda')
    const weights = task.perModel.map((values) => numberOf(values, 'weight'))
    return matrixKernel(
      task,
      async (changes) => {
        const sum = sumOf(
          changes.map((change, k) => ({ ...change, data: change.data.map((value) => value * weights[k]!) })),
        )
        const { u, s, v } = await svd(sum)
        const counts = await countsOf(changes, u, s, v, numberOf(task.shared, 'alpha'))
        return scaled(
          await timesTransposed(
            scaleColumns(
              u,
              s.map((value, r) => (value * changes.length) / counts[r]!),
            ),
            v,
          ),
          lambda,
        )
      },
      weights.map((weight) => weight * lambda),
    )
  },
}

/** Σ over tasks of max(α, ⟨uᵀD, uᵀτ⟩ / ‖uᵀτ‖²) for each direction u of D. */
async function countsOf(
  changes: readonly Change[],
  u: Change,
  s: Float64Array,
  v: Change,
  alpha: number,
): Promise<Float64Array> {
  const counts = new Float64Array(s.length)
  const [directions, rights] = [transposed(u), transposed(v)]
  for (const change of changes) {
    const along = await timesTransposed(directions, transposed(change))
    for (let r = 0; r < s.length; r++) {
      let [product, square] = [0, 0]
      for (let j = 0; j < change.width; j++) {
        const value = along[r * change.width + j]!
        product += s[r]! * rights.data[r * change.width + j]! * value
        square += value * value
      }
      counts[r]! += Math.max(alpha, square === 0 ? 0 : product / square)
    }
  }
  return counts
}
