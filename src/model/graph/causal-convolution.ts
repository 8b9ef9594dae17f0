/** A convolution along the text by channel, whose columns see themselves and those before them. */
import type { BlockSpec, Slot } from '#model/architectures'
import type { Value } from './builder.ts'
import type { Wiring } from './wiring.ts'

export interface CausalConvolution {
  /** Several lie side by side in the channels, cut anywhere: the reference saves them in equal parts. */
  readonly slot: Slot | readonly Slot[]
  readonly channels: number | readonly number[]
  readonly kernel: number
  readonly bias: boolean
}

/** [B × S × channels] → the same; every column sees itself and the `kernel` − 1 before it, each channel by itself. */
export function convolveCausally(
  { builder, weights, past }: Wiring,
  x: Value,
  block: BlockSpec,
  { slot, channels: widths, kernel, bias }: CausalConvolution,
): Value {
  const [slots, wanted] = [[slot].flat(), [widths].flat()]
  const sum = (sizes: readonly number[]): number => sizes.reduce((all, size) => all + size, 0)
  const channels = sum(wanted)
  const stored = slots.map((one) => weights.shape(one, block)?.[0] ?? 0)
  const sizes = sum(stored) === channels ? stored : wanted
  const joined = (part: 'weight' | 'bias', dims: readonly number[]): Value => {
    const parts = slots.map((one, index) => weights.tensor(one, [sizes[index] ?? 0, ...dims], block, part))
    return parts.length === 1 ? (parts[0] ?? '') : builder.node('Concat', parts, { axis: 0 })
  }
  const turned = builder.transpose(x, [0, 2, 1])
  const before = past?.roll(block, 'tail', turned, { channels, tail: kernel - 1 })
  const convolved = builder.node(
    'Conv',
    [before ?? turned, joined('weight', [1, kernel]), ...(bias ? [joined('bias', [])] : [])],
    { group: channels, kernel_shape: [kernel], pads: [before === undefined ? kernel - 1 : 0, 0] },
  )
  return builder.transpose(convolved, [0, 2, 1])
}

/** [B × S × 1]: 1 for tokens, 0 for pads. */
export function realColumns({ builder, mask }: Wiring): Value {
  return builder.node('Unsqueeze', [builder.cast(mask, 'float32'), builder.int([2])])
}
