/**
 * A basis of sparse combinations of shared tokens that follows the principal axes of the narrower space; a token's
 * coordinates in the donor's basis are taken over to the model's. mergekit, `tokensurgeon/token_basis.py` (its command
 * hands the wrong argument to that function and stops; the numbers here are the function's own).
 */
import type { Matrix, Matrix64 } from '#core'
import { svd, symmetricEigen, timesTransposed, transposed } from '#platform/linalg'
import type { Approximation } from '../approximation.ts'
import { combined } from '../combine.ts'
import { single } from '../least-squares.ts'
import { centred, crossProduct, meanOf, product } from '../moments.ts'
import { type Combination, orthogonalPursuit } from '../pursuit.ts'
import { meanRow } from '../rows.ts'

export const stb: Approximation = {
  name: 'stb',
  reference: 'https://github.com/arcee-ai/mergekit',
  summary: 'coordinates in a basis of sparse combinations of shared tokens',
  looksAt: 'shared',
  random: false,
  async prepare({ donor, model, shared, targets, options: { k } }) {
    const points = await shared()
    const size = Math.min(points.donor.width, points.model.width)
    const basis = await sparseBasis(points.donor.width < points.model.width ? points.donor : points.model, k, size)
    const [donorBasis, modelBasis] = [basisOf(basis, points.donor), basisOf(basis, points.model)]
    const columnsOfMap = transposed(await product(await pseudoInverse(donorBasis), modelBasis))
    const [donorMean, modelMean] = [await meanRow(donor()), await meanRow(model)]
    return async (from, to) => {
      const data = await timesTransposed(
        centred(await donor().take(targets.subarray(from, to)), donorMean),
        columnsOfMap,
      )
      return data.map((value, i) => value + modelMean[i % model.width]!)
    }
  },
}

/** The first `size` principal axes of the points, each as a combination of at most k centred points. */
async function sparseBasis(points: Matrix, k: number, size: number): Promise<Combination[]> {
  const mean = meanOf(points)
  const { vectors } = await symmetricEigen(await crossProduct(points, mean, points, mean))
  const axes = {
    rows: size,
    width: points.width,
    data: Float32Array.from(vectors.data.subarray(0, size * points.width)),
  }
  return orthogonalPursuit(axes, { ...points, data: Float32Array.from(centred(points, mean).data) }, k)
}

function basisOf(basis: readonly Combination[], points: Matrix): Matrix64 {
  return { rows: basis.length, width: points.width, data: combined(basis, points) }
}

/** [width × rows]; singular values below what float32 can tell from zero are taken for it. */
async function pseudoInverse(a: Matrix64): Promise<Matrix64> {
  const { u, s, v } = await svd(a)
  const limit = single * Math.max(a.rows, a.width) * (s[0] ?? 0)
  const scaled = { ...v, data: v.data.map((value, i) => (s[i % s.length]! > limit ? value / s[i % s.length]! : 0)) }
  return { rows: a.width, width: a.rows, data: await timesTransposed(scaled, u) }
}
