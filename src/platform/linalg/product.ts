/** Products of dense matrices: loops for small ones, the engine's kernel for the rest. */
import type { Floats, Matrix } from '#core'
import { matmul, type Matmul } from '#platform/runtime'
import { emptyLike } from './product-plain.ts'
import { timesTransposedSmall } from './product-simd.ts'

/** A way to compute a · bᵀ, into memory of its size when that is given. */
export type TimesTransposed = <Data extends Floats>(a: Matrix<Data>, b: Matrix<Data>, into?: Data) => Promise<Data>

/** Below this many multiplications a call to the engine costs more than it saves. */
const worthTheEngine = 2 ** 20

/** The product on kernels of one's own. */
export function timesTransposedOn(multiply: Matmul): TimesTransposed {
  return async <Data extends Floats>(a: Matrix<Data>, b: Matrix<Data>, into?: Data) => {
    if (a.rows * b.rows * a.width < worthTheEngine) return timesTransposedSmall(a, b, into)
    const { data } = await multiply(a, b, {
      transposeB: true,
      dtype: a.data instanceof Float32Array ? 'float32' : 'float64',
      into,
    })
    return data as Data
  }
}

/**
 * a · bᵀ: [a.rows × b.rows], row-major, in the precision of the inputs. Large products run on the engine, off the main
 * thread. `into`: memory for the result, of its size.
 *
 * @example
 * ```ts
 * import { matrix, timesTransposed } from 'strata-lm/linalg'
 *
 * const texts = matrix(2, 2, Float32Array.of(1, 0, 0, 1))
 * const queries = matrix(1, 2, Float32Array.of(3, 4))
 * console.log([...(await timesTransposed(queries, texts))]) // → [ 3, 4 ]
 * ```
 */
export const timesTransposed: TimesTransposed = timesTransposedOn(matmul)

/**
 * A copy with rows and columns exchanged: [rows × width] → [width × rows].
 *
 * @example
 * ```ts
 * import { matrix, transposed } from 'strata-lm/linalg'
 *
 * console.log([...transposed(matrix(2, 3, Float32Array.of(1, 2, 3, 4, 5, 6))).data]) // → [ 1, 4, 2, 5, 3, 6 ]
 * ```
 */
export function transposed<Data extends Floats>({ rows, width, data }: Matrix<Data>): Matrix<Data> {
  const out = emptyLike(data, data.length)
  for (let i = 0; i < rows; i++) for (let k = 0; k < width; k++) out[k * rows + i] = data[i * width + k]!
  return { rows: width, width: rows, data: out }
}
