/** A gated short convolution (Liquid AI's LFM2, 2025): y = W(c ⊙ conv(b ⊙ x)), without activations or a state. */
import type { BlockSpec, MixerSpec } from '#model/architectures'
import type { Value } from './builder.ts'
import { convolveCausally, realColumns } from './causal-convolution.ts'
import { linear, type Wiring } from './wiring.ts'

/** [B × S × W] → [B × S × W], residual not added. Masked tokens enter the convolution as zeros. */
export function shortConvolution(
  wiring: Wiring,
  x: Value,
  block: BlockSpec,
  { kernel, bias }: Extract<MixerSpec, { kind: 'short-convolution' }>,
): Value {
  const { builder, spec } = wiring
  const { width } = spec
  const projected = linear(wiring, x, 'block.scan.in', { in: width, out: 3 * width, bias, place: block })
  const parts = builder.split('Split', [projected, builder.int([width, width, width])], 3, { axis: -1 })
  const [before = '', after = '', input = ''] = parts
  const entering = builder.multiply(builder.multiply(before, input), realColumns(wiring))
  const convolved = convolveCausally(wiring, entering, block, {
    slot: 'block.scan.convolution',
    channels: width,
    kernel,
    bias,
  })
  const gated = builder.multiply(after, convolved)
  return linear(wiring, gated, 'block.scan.out', { in: width, out: width, bias, place: block })
}
