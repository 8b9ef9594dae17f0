/** Covariance of rows that come block by block. */
import type { Matrix, Matrix64 } from '#core'
import { timesTransposed } from './product.ts'

export interface Covariance {
  /** [rows × width] */
  add(block: Matrix): Promise<void>
  /** `covariance`: [width × width], divided by rows − 1. */
  finish(): { readonly rows: number; readonly mean: Float64Array; readonly covariance: Matrix64 }
}

/** Sums are taken about the mean of the first block, so that nothing cancels where the mean is large. */
export function covarianceOf(width: number): Covariance {
  let rows = 0
  const shift = new Float64Array(width)
  const sums = new Float64Array(width)
  const products = new Float64Array(width * width)
  return {
    async add(block) {
      if (block.rows === 0) return
      if (rows === 0) for (let i = 0; i < block.data.length; i++) shift[i % width]! += block.data[i]! / block.rows
      // [width × rows], so that the product runs along the rows
      const turned = new Float64Array(width * block.rows)
      for (let row = 0; row < block.rows; row++)
        for (let i = 0; i < width; i++) {
          const value = block.data[row * width + i]! - shift[i]!
          turned[i * block.rows + row] = value
          sums[i]! += value
        }
      const side: Matrix64 = { rows: width, width: block.rows, data: turned }
      const product = await timesTransposed(side, side)
      for (let i = 0; i < products.length; i++) products[i]! += product[i]!
      rows += block.rows
    },
    finish() {
      const scale = 1 / Math.max(1, rows - 1)
      const data = products.map((value, at) => scale * (value - (sums[Math.floor(at / width)]! * sums[at % width]!) / Math.max(1, rows)))
      return { rows, mean: shift.map((value, i) => value + sums[i]! / Math.max(1, rows)), covariance: { rows: width, width, data } }
    },
  }
}
