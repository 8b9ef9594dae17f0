/**
 * One map for all tokens: both spaces cut to the principal axes of the shared tokens, one rotated onto the other
 * (orthogonal Procrustes, Schönemann 1966). mergekit takes the transposed rotation between axes from a random sketch,
 * so that its result changes with the seed; here the rotation is the one that fits.
 */
import type { Matrix64 } from '#core'
import { columns, polar, symmetricEigen, timesTransposed, transposed } from '#platform/linalg'
import type { Approximation } from '../approximation.ts'
import { centred, crossProduct, meanOf, product } from '../moments.ts'

export const landmarkPca: Approximation = {
  name: 'landmark_pca',
  reference: 'https://doi.org/10.1007/BF02289451',
  summary: 'principal axes of the shared tokens, rotated onto each other',
  looksAt: 'shared',
  random: false,
  async prepare({ donor, shared, targets }) {
    const { donor: a, model: b } = await shared()
    const [meanA, meanB] = [meanOf(a), meanOf(b)]
    const size = Math.min(a.width, b.width)
    const axesA = await axes(await crossProduct(a, meanA, a, meanA), size)
    const axesB = await axes(await crossProduct(b, meanB, b, meanB), size)
    const between = await product(await product(transposed(axesA), await crossProduct(a, meanA, b, meanB)), axesB)
    const map = await product(await product(axesA, await polar(between)), transposed(axesB))
    const columnsOfMap = transposed(map)
    return async (from, to) => {
      const data = await timesTransposed(centred(await donor().take(targets.subarray(from, to)), meanA), columnsOfMap)
      return data.map((value, i) => value + meanB[i % b.width]!)
    }
  },
}

/** [width × size] */
async function axes(moments: Matrix64, size: number): Promise<Matrix64> {
  const { vectors } = await symmetricEigen(moments)
  return columns(transposed(vectors), 0, size)
}
