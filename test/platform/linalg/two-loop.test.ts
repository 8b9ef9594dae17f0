import { expect, test } from 'vitest'
import { randomState } from '#platform/random'
import { descend } from '../../../src/platform/linalg/two-loop.ts'
import { vectorSpace } from '../../../src/platform/linalg/vectors-simd.ts'

const length = 37

test.each([0, 1, 2, 5])(
  'with %i pairs the direction is that of the recursion step by step, to the last bit',
  (count) => {
    const space = vectorSpace(length, 2 + 2 * count)
    const draws = randomState(count)
    for (const vector of space.vectors) vector.set(draws.randomSample(length))
    const [direction, gradient, ...rest] = space.vectors as [Float64Array, Float64Array, ...Float64Array[]]
    const pairs = Array.from({ length: count }, (_, k) => ({
      s: rest[2 * k]!,
      y: rest[2 * k + 1]!,
      rho: 1 / space.dot(rest[2 * k]!, rest[2 * k + 1]!),
    }))
    const gamma = count === 0 ? 1 : 0.37

    // Nocedal & Wright, Numerical Optimization, algorithm 7.4
    const q = gradient.map((value) => -value)
    const add = (by: number, vector: Float64Array): void => q.forEach((value, i) => (q[i] = value + vector[i]! * by))
    // vectors are multiplied in a space, whose products have a test of their own
    const scratch = vectorSpace(length, 2)
    const product = (vector: Float64Array): number => {
      scratch.vectors[0]!.set(q)
      scratch.vectors[1]!.set(vector)
      return scratch.dot(scratch.vectors[1]!, scratch.vectors[0]!)
    }
    const weights = pairs.map(() => 0)
    for (let k = count - 1; k >= 0; k--) {
      weights[k] = pairs[k]!.rho * product(pairs[k]!.s)
      add(-weights[k]!, pairs[k]!.y)
    }
    q.forEach((value, i) => (q[i] = value * gamma))
    for (let k = 0; k < count; k++) add(weights[k]! - pairs[k]!.rho * product(pairs[k]!.y), pairs[k]!.s)

    expect(descend(space, direction, gradient, pairs, gamma)).toBe(product(gradient))
    expect(Array.from(direction)).toEqual(Array.from(q))
  },
)
