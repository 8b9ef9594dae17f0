/** DeBERTa-v2's convolution over the embeddings, which joins the output of the first block. */
import type { ConvolutionSpec } from '#model/architectures'
import { activate } from './activation.ts'
import type { Value } from './builder.ts'
import { normalize } from './norm.ts'
import type { Wiring } from './wiring.ts'

/**
 * norm(x + activation(convolution of `embedded`)), both [B × S × W]; masked tokens count as zeros, as positions outside
 * the text do.
 */
export function joinConvolution(
  wiring: Wiring,
  { embedded, x }: { embedded: Value; x: Value },
  convolution: ConvolutionSpec,
): Value {
  const { builder, spec, weights, mask } = wiring
  const { kernel, groups, activation } = convolution
  const { width } = spec
  const real = builder.node('Unsqueeze', [builder.cast(mask, 'float32'), builder.int([2])])
  const columns = builder.transpose(builder.multiply(embedded, real), [0, 2, 1])
  const weight = weights.tensor('convolution', [width, width / groups, kernel])
  const bias = weights.tensor('convolution', [width], {}, 'bias')
  const reach = (kernel - 1) / 2
  const seen = builder.node('Conv', [columns, weight, bias], {
    group: groups,
    kernel_shape: [kernel],
    pads: [reach, reach],
  })
  const joined = builder.add(x, activate(builder, builder.transpose(seen, [0, 2, 1]), activation))
  return normalize(wiring, joined, { slot: 'convolution.norm', norm: spec.norm, width })
}
