/** The direction of L-BFGS out of the pairs it keeps. */
import type { Vector, VectorSpace } from './vectors-simd.ts'

/** Step s, gradient change y, and 1/yᵀs. */
export interface Pair {
  readonly s: Vector
  readonly y: Vector
  readonly rho: number
}

/**
 * direction ← −H·g by the two-loop recursion (Nocedal 1980), H starting as gamma·I; returns gᵀ·direction. Each step
 * multiplies by the vector that the next one asks about.
 */
export function descend(
  space: VectorSpace,
  direction: Vector,
  gradient: Vector,
  pairs: readonly Pair[],
  gamma: number,
): number {
  const newest = pairs.at(-1)
  if (newest === undefined) return space.negate(direction, gradient, gradient)
  const weights = new Float64Array(pairs.length)
  let product = space.negate(direction, gradient, newest.s)
  for (let k = pairs.length - 1; k >= 0; k--) {
    const { y, rho } = pairs[k]!
    weights[k] = rho * product
    product =
      k > 0
        ? space.add(direction, y, -weights[k]!, 1, pairs[k - 1]!.s)
        : space.add(direction, y, -weights[k]!, gamma, y)
  }
  for (let k = 0; k < pairs.length; k++) {
    const { s, rho } = pairs[k]!
    product = space.add(direction, s, weights[k]! - rho * product, 1, pairs[k + 1]?.y ?? gradient)
  }
  return product
}
