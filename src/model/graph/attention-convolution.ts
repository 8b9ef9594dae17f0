/** Convolutions along the text next to attention: ConvBERT's (Jiang et al. 2020), Nyströmformer's (Xiong et al. 2021). */
import type { BlockSpec } from '#model/architectures'
import type { Value } from './builder.ts'
import { linear, type Wiring } from './wiring.ts'

/**
 * Σ_j share(t, j) · value(t + j − reach) for each head, [B × S × N·D]; shares are a softmax over j of what the query
 * makes with a separable convolution of x around t. Masked tokens count as others do, and zeros outside the text.
 */
export function convolveValues(
  wiring: Wiring,
  { x, width }: { readonly x: Value; readonly width: number },
  queries: Value,
  block: BlockSpec,
): Value {
  const { builder } = wiring
  const { heads, headWidth, convolution } = block.attention
  const kernel = convolution?.kernel ?? 1
  const inner = heads * headWidth
  const around = separable(wiring, { x, width, inner, kernel }, block)
  const likes = linear(wiring, builder.multiply(around, queries), 'block.attention.convolution.kernel', {
    in: inner,
    out: heads * kernel,
    bias: true,
    place: block,
  })
  const shares = builder.node('Softmax', [builder.reshape(likes, [0, 0, heads, kernel])], { axis: -1 })
  const made = linear(wiring, x, 'block.attention.convolution.value', {
    in: width,
    out: inner,
    bias: true,
    place: block,
  })
  const reach = (kernel - 1) / 2
  const values = builder.node('Pad', [builder.reshape(made, [0, 0, heads, headWidth]), builder.int(sides(reach))])
  const parts = Array.from({ length: kernel }, (_, j) => {
    const stop = j === 2 * reach ? Number.MAX_SAFE_INTEGER : j - 2 * reach
    const shifted = builder.node('Slice', [values, builder.int([j]), builder.int([stop]), builder.int([1])])
    return builder.multiply(shifted, builder.node('Gather', [shares, builder.int([j])], { axis: 3 }))
  })
  return builder.reshape(
    parts.reduce((sum, part) => builder.add(sum, part)),
    [0, 0, inner],
  )
}

/** Padding of the tokens of [B × S × N × D]. */
function sides(reach: number): readonly number[] {
  return [0, reach, 0, 0, 0, reach, 0, 0]
}

/** Each channel over the `kernel` tokens around, then a matrix over the channels: [B × S × inner]. */
function separable(
  { builder, weights }: Wiring,
  { x, width, inner, kernel }: { x: Value; width: number; inner: number; kernel: number },
  block: BlockSpec,
): Value {
  const reach = (kernel - 1) / 2
  const deep = builder.node(
    'Conv',
    [builder.transpose(x, [0, 2, 1]), weights.tensor('block.attention.convolution.depth', [width, 1, kernel], block)],
    { group: width, kernel_shape: [kernel], pads: [reach, reach] },
  )
  const wide = builder.node(
    'Conv',
    [deep, weights.tensor('block.attention.convolution.point', [inner, width, 1], block)],
    {
      kernel_shape: [1],
    },
  )
  const bias = weights.tensor('block.attention.convolution.bias', [inner, 1], block)
  return builder.transpose(builder.add(wide, bias), [0, 2, 1])
}

/** Each head's values over the `kernel` tokens around, masked ones among them: [B × S × N·D]. */
export function convolveHeads({ builder, weights }: Wiring, v: Value, block: BlockSpec): Value {
  const { heads, headWidth, convolution } = block.attention
  const kernel = convolution?.kernel ?? 1
  const reach = (kernel - 1) / 2
  const values = builder.transpose(builder.reshape(v, [0, 0, heads, headWidth]), [0, 2, 1, 3])
  const made = builder.node(
    'Conv',
    [values, weights.tensor('block.attention.convolution.depth', [heads, 1, kernel, 1], block)],
    { group: heads, kernel_shape: [kernel, 1], pads: [reach, 0, reach, 0] },
  )
  return builder.reshape(builder.transpose(made, [0, 2, 1, 3]), [0, 0, heads * headWidth])
}
