/** The step from a token's state to its vector. */
import type { Matrix } from '#core'
import { timesTransposed } from '#platform/linalg'

/** input · weightᵀ + bias, [rows × weight.rows] in float32; millions of tokens pass it. */
export async function projected(input: Matrix, weight: Matrix, bias: Float32Array | undefined): Promise<Matrix> {
  const data = await timesTransposed(input, weight)
  const { rows: width } = weight
  if (bias !== undefined) for (let i = 0; i < data.length; i++) data[i]! += bias[i % width]!
  return { rows: input.rows, width, data }
}
