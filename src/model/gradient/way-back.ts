/** Steps of the way back that every family takes: through a layer, while its squares are added up. */
import type { Matrix64 } from '#core'
import { product } from '#platform/linalg'
import type { Linear } from './parameters.ts'
import type { SquareSums } from './square-sums.ts'
import type { TextPack } from './text-pack.ts'

/** Where the rows of each text begin, and the sums that squares are added to. */
export interface WayBack {
  readonly starts: Int32Array
  readonly sums: SquareSums
}

export interface BackwardOptions<Pass> {
  readonly pack: TextPack
  readonly pass: Pass
  readonly sums: SquareSums
}

/** For the head, with one row per text. */
export function headWay({ examples }: TextPack, sums: SquareSums): WayBack {
  return { starts: Int32Array.from({ length: examples.length + 1 }, (_, text) => text), sums }
}

/** Adds the squares of a layer's own gradients; returns that of its input. */
export async function linearBackward(
  gradient: Matrix64,
  input: Matrix64,
  { weight, bias }: Linear,
  { starts, sums }: WayBack,
): Promise<Matrix64> {
  sums.addOuter(weight, { gradient, input, starts })
  if (bias !== undefined) sums.addRows(bias, gradient, starts)
  return { rows: gradient.rows, width: weight.width, data: (await product(gradient, weight)).data }
}
