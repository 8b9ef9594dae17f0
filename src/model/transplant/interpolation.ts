/** Weights of neighbours that stand for a target. mergekit, `tokensurgeon/common_interpolation.py`. */
import { leastSquares } from './least-squares.ts'
import type { Neighbours } from './nearest-points.ts'

export const weightSchemes = ['distance_proportional', 'barycentric', 'least_squares'] as const
export type WeightScheme = (typeof weightSchemes)[number]

/** Distances, and sums of weights, are at least this. */
const smallest = 1e-6

/** One weight a neighbour; `points` are their vectors. */
export function neighbourWeights(
  target: Float32Array,
  points: readonly Float64Array[],
  { distances }: Neighbours,
  scheme: WeightScheme,
  cosine: boolean,
): Float64Array {
  switch (scheme) {
    case 'distance_proportional': {
      const weights = distances.map((distance) => (cosine ? 1 - distance : 1 / Math.max(smallest, distance)))
      const sum = Math.max(
        smallest,
        weights.reduce((total, weight) => total + weight, 0),
      )
      return weights.map((weight) => weight / sum)
    }
    case 'barycentric':
      return barycentric(target, points)
    case 'least_squares':
      return leastSquares(points, Float64Array.from(target))
    default:
      return scheme satisfies never
  }
}

/**
 * The affine combination nearest to the target: weights that sum to one, by the normal equations with a Lagrange
 * multiplier.
 */
function barycentric(target: Float32Array, points: readonly Float64Array[]): Float64Array {
  const count = points.length
  const columns = points.map((point) => {
    const column = new Float64Array(count + 1).fill(1)
    for (let i = 0; i < count; i++) column[i] = dot(points[i]!, point)
    return column
  })
  const multiplier = new Float64Array(count + 1).fill(1)
  multiplier[count] = 0
  const right = new Float64Array(count + 1).fill(1)
  for (let i = 0; i < count; i++) right[i] = dot(points[i]!, target)
  return leastSquares([...columns, multiplier], right).subarray(0, count)
}

function dot(a: Float64Array, b: Float32Array | Float64Array): number {
  let sum = 0
  for (let d = 0; d < a.length; d++) sum += a[d]! * b[d]!
  return sum
}
