/** Covariance of rows that come block by block: the upper half in tiles, on the engine. */
import type { Floats, Matrix, Matrix64 } from '#core'
import { matmul } from '#platform/runtime'

export interface Covariance {
  /** [rows × width] */
  add(block: Matrix): Promise<void>
  /** `covariance`: [width × width], divided by rows − 1. The sums become the result: to be called once. */
  finish(): { readonly rows: number; readonly mean: Float64Array; readonly covariance: Matrix64 }
}

/** Columns of a tile. In tiles on the diagonal, the part below it is computed for nothing. */
const tileWidth = 1024
/**
 * Rows whose products are summed in the precision of the engine before they go to float64. In float32 such a sum is off
 * by about 1e-6 of itself, the mean over many by less;
 * the vectors are float32 as well.
 */
const chunkRows = 1024
/** Wider, and float64 takes four times as long for digits that the vectors do not have. */
const exactUpTo = 4096

/**
 * Mean and covariance of rows that come block by block: memory is that of one block and of [width × width]. Values are
 * taken less the mean of the first block, so that nothing cancels where the mean is large.
 *
 * @example
 * ```ts
 * import { covarianceOf, matrix } from 'strata-lm/linalg'
 *
 * const sums = covarianceOf(2)
 * await sums.add(matrix(2, 2, Float32Array.of(1, 2, 3, 6)))
 * await sums.add(matrix(1, 2, Float32Array.of(5, 10)))
 * const { mean, covariance } = sums.finish()
 * console.log([...mean], [...covariance.data]) // → [ 3, 6 ] [ 4, 8, 8, 16 ]
 * ```
 */
export function covarianceOf(width: number): Covariance {
  let rows = 0
  const shift = new Float64Array(width)
  const sums = new Float64Array(width)
  const products = new Float64Array(width * width)
  const dtype = width > exactUpTo ? 'float32' : 'float64'
  const room = (length: number): Floats => (dtype === 'float32' ? new Float32Array(length) : new Float64Array(length))
  const tiles = Array.from({ length: Math.ceil(width / tileWidth) }, (_, k) => ({
    from: k * tileWidth,
    to: Math.min(width, (k + 1) * tileWidth),
  }))
  const memory = room(Math.min(width, tileWidth) ** 2)

  const addRows = async (data: Float32Array, count: number): Promise<void> => {
    const panels = tiles.map(({ from, to }) => {
      const panel: Matrix<Floats> = { rows: count, width: to - from, data: room(count * (to - from)) }
      for (let row = 0; row < count; row++)
        for (let i = from; i < to; i++) {
          const value = data[row * width + i]! - shift[i]!
          panel.data[row * panel.width + i - from] = value
          sums[i]! += value
        }
      return panel
    })
    for (const [i, left] of panels.entries())
      for (let j = i; j < panels.length; j++) {
        const right = panels[j]!
        const into = memory.subarray(0, left.width * right.width)
        await matmul(left, right, { transposeA: true, dtype, into })
        for (let row = 0; row < left.width; row++) {
          const at = (tiles[i]!.from + row) * width + tiles[j]!.from
          for (let k = 0; k < right.width; k++) products[at + k]! += into[row * right.width + k]!
        }
      }
    rows += count
  }

  return {
    async add(block) {
      if (rows === 0)
        for (let row = 0; row < block.rows; row++)
          for (let i = 0; i < width; i++) shift[i]! += block.data[row * width + i]! / block.rows
      for (let from = 0; from < block.rows; from += chunkRows) {
        const to = Math.min(block.rows, from + chunkRows)
        await addRows(block.data.subarray(from * width, to * width), to - from)
      }
    },
    finish() {
      const scale = 1 / Math.max(1, rows - 1)
      const own = Math.max(1, rows)
      for (let i = 0; i < width; i++)
        for (let j = i; j < width; j++)
          products[j * width + i] = products[i * width + j] =
            scale * (products[i * width + j]! - (sums[i]! * sums[j]!) / own)
      return {
        rows,
        mean: shift.map((value, i) => value + sums[i]! / own),
        covariance: { rows: width, width, data: products },
      }
    },
  }
}
