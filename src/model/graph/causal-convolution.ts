/** A convolution along the text by channel, whose columns see themselves and those before them. */
import type { BlockSpec, Slot } from '#model/architectures'
import type { Value } from './builder.ts'
import type { Wiring } from './wiring.ts'

export interface CausalConvolution {
  readonly slot: Slot
  readonly channels: number
  readonly kernel: number
  readonly bias: boolean
  /** Name of its last columns among what is kept of tokens that passed before. */
  readonly part?: string
}

/** [B × S × channels] → the same; every column sees itself and the `kernel` − 1 before it, each channel by itself. */
export function convolveCausally(
  { builder, weights, past }: Wiring,
  x: Value,
  block: BlockSpec,
  { slot, channels, kernel, bias, part = 'tail' }: CausalConvolution,
): Value {
  const weight = weights.tensor(slot, [channels, 1, kernel], block)
  const biases = bias ? [weights.tensor(slot, [channels], block, 'bias')] : []
  const turned = builder.transpose(x, [0, 2, 1])
  const before = past?.roll(block, part, turned, { channels, tail: kernel - 1 })
  const attributes = { group: channels, kernel_shape: [kernel], pads: [before === undefined ? kernel - 1 : 0, 0] }
  return builder.transpose(builder.node('Conv', [before ?? turned, weight, ...biases], attributes), [0, 2, 1])
}

/** [B × S × 1]: 1 for tokens, 0 for pads. */
export function realColumns({ builder, mask }: Wiring): Value {
  return builder.node('Unsqueeze', [builder.cast(mask, 'float32'), builder.int([2])])
}
