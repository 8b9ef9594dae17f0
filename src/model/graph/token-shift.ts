/** Token shift (Peng et al. 2023, RWKV): a layer reads a mixture of a token and the one before it, channel by channel. */
import type { BlockSpec, Slot } from '#model/architectures'
import type { Value } from './builder.ts'
import { realColumns } from './causal-convolution.ts'
import type { Wiring } from './wiring.ts'

/** x [B × S × W] and a share for each slot: share · x + (1 − share) · x one column back, zeros before the first token. */
export function shiftTokens(
  wiring: Wiring,
  x: Value,
  block: BlockSpec,
  { part, shares }: { readonly part: string; readonly shares: readonly Slot[] },
): readonly Value[] {
  const { builder, spec, weights, past, ids } = wiring
  const { width } = spec
  const real = builder.transpose(builder.multiply(x, realColumns(wiring)), [0, 2, 1])
  const rows = builder.node('Shape', [ids], { start: 0, end: 1 })
  const nothing = (): Value =>
    builder.node('ConstantOfShape', [builder.node('Concat', [rows, builder.int([width, 1])], { axis: 0 })])
  const joined =
    past?.roll(block, part, real, { channels: width, tail: 1 }) ??
    builder.node('Concat', [nothing(), real], { axis: 2 })
  const back = builder.node('Slice', [joined, builder.int([0]), builder.int([-1]), builder.int([2])])
  const before = builder.transpose(back, [0, 2, 1])
  const change = builder.node('Sub', [x, before])
  return shares.map((slot) => builder.add(before, builder.multiply(change, weights.tensor(slot, [1, 1, width], block))))
}
