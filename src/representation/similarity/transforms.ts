/** Changes to a similarity matrix before it is used. */

export type Transform = 'arccos' | 'log' | 'row-sum'

/**
 * A copy of a similarity matrix [n × n], transformed. `arccos`: of values cut to [−1, 1]; `log`: of values not below
 * 1e-10; `row-sum`: the sum of each row added to its place on the diagonal.
 *
 * @example
 * ```ts
 * import { transformed } from 'strata-lm/similarity'
 *
 * console.log([...transformed(Float64Array.of(1, 0.5, 0.5, 1), 2, 'row-sum')]) // → [ 2.5, 0.5, 0.5, 2.5 ]
 * ```
 */
export function transformed(matrix: Float64Array, n: number, transform: Transform): Float64Array {
  switch (transform) {
    case 'arccos':
      return matrix.map((value) => Math.acos(Math.max(-1, Math.min(1, value))))
    case 'log':
      return matrix.map((value) => Math.log(Math.max(value, 1e-10)))
    case 'row-sum': {
      const out = matrix.slice()
      for (let i = 0; i < n; i++)
        out[i * n + i]! += matrix.subarray(i * n, (i + 1) * n).reduce((sum, value) => sum + value, 0)
      return out
    }
    default:
      return transform satisfies never
  }
}
