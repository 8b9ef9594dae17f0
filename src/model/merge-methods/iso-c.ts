/**
 * Iso-C: the sum of all task matrices with all its singular values made equal to their mean. Marczak et al. 2025, §4.2.
 * Directions beyond the numerical rank stay out.
 */
import { svd, timesTransposed } from '#platform/linalg'
import { numberOf, shared } from './method.ts'
import { type Change, matrixMethod } from './whole-matrix.ts'

export const isoC = matrixMethod({
  name: 'iso_c',
  reference: 'https://arxiv.org/abs/2502.04959',
  parameters: { alpha: shared(1) },
  async merge(changes, task) {
    const sum = sumOf(changes)
    const { u, v, s } = await svd(sum)
    const mean = s.reduce((all, value) => all + value, 0) / Math.min(sum.rows, sum.width)
    return scaled(await timesTransposed(u, v), numberOf(task.shared, 'alpha') * mean)
  },
})

export function sumOf(changes: readonly Change[]): Change {
  const { rows, width } = changes[0]!
  const data = new Float64Array(rows * width)
  for (const change of changes) for (let i = 0; i < data.length; i++) data[i]! += change.data[i]!
  return { rows, width, data }
}

export function scaled(values: Float64Array, factor: number): Float64Array {
  for (let i = 0; i < values.length; i++) values[i]! *= factor
  return values
}
