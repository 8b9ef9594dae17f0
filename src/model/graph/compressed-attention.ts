/**
 * Compressed convolutional attention (Figliolia et al. 2025, ZAYA1). N heads, K key heads, G heads for each, D columns.
 */
import type { BlockSpec } from '#model/architectures'
import type { Value } from './builder.ts'
import { realColumns } from './causal-convolution.ts'
import { normalizeBy } from './norm.ts'
import { linear, type Wiring } from './wiring.ts'

/** A vector is divided by its length; this keeps zeros from 0 / 0. */
const lengthNorm = { kind: 'rms', epsilon: 1e-14, weight: 'none', bias: false } as const

/** q [B × S × N·D], k and v [B × S × K·D], not rotated yet; masked tokens enter as zeros. */
export function projectCompressed(
  wiring: Wiring,
  x: Value,
  block: BlockSpec,
  sizes: { readonly depth: number; readonly group: number },
): { readonly q: Value; readonly k: Value; readonly v: Value } {
  const { builder, spec, weights } = wiring
  const { heads, keyHeads, headWidth, bias } = block.attention
  const [ofQueries, ofKeys] = [heads * headWidth, keyHeads * headWidth]
  const real = builder.multiply(x, realColumns(wiring))
  const into = { in: spec.width, bias: bias.qkv, place: block } as const
  const queries = linear(wiring, real, 'block.attention.q', { ...into, out: ofQueries })
  const keys = linear(wiring, real, 'block.attention.k', { ...into, out: ofKeys })
  const mixed = convolve(wiring, builder.node('Concat', [queries, keys], { axis: -1 }), block, sizes)
  const [nearQueries = '', nearKeys = ''] = builder.split('Split', [mixed, builder.int([ofQueries, ofKeys])], 2, {
    axis: -1,
  })
  const means = builder.multiply(
    builder.add(
      builder.reshape(queries, [0, 0, keyHeads, -1, headWidth]),
      builder.reshape(keys, [0, 0, keyHeads, 1, headWidth]),
    ),
    builder.float(0.5),
  ) // [B × S × K × G × D]
  const keyMeans = builder.node('ReduceMean', [means, builder.int([3])], { keepdims: 0 })
  const even = (near: Value, mean: Value, count: number): Value => {
    const whole = builder.add(near, builder.reshape(mean, [0, 0, count * headWidth]))
    return normalizeBy(wiring, builder.reshape(whole, [0, 0, count, headWidth]), lengthNorm, headWidth)
  }
  const temperature = weights.tensor('block.attention.compressed.temperature', [keyHeads], block)
  const warm = builder.multiply(even(nearKeys, keyMeans, keyHeads), builder.reshape(temperature, [keyHeads, 1]))
  return {
    q: builder.reshape(even(nearQueries, means, heads), [0, 0, ofQueries]),
    k: builder.reshape(warm, [0, 0, ofKeys]),
    v: delayedValues(wiring, real, block),
  }
}

/** [B × S × C] by channel, and then by head: each column sees itself and those before it. */
function convolve(
  { builder, weights }: Wiring,
  x: Value,
  block: BlockSpec,
  { depth, group }: { readonly depth: number; readonly group: number },
): Value {
  const { heads, keyHeads, headWidth } = block.attention
  const channels = (heads + keyHeads) * headWidth
  const run = (
    value: Value,
    slot: 'block.attention.compressed.depth' | 'block.attention.compressed.group',
    at: {
      readonly groups: number
      readonly kernel: number
      readonly pads: number
    },
  ): Value =>
    builder.node(
      'Conv',
      [
        value,
        weights.tensor(slot, [channels, channels / at.groups, at.kernel], block),
        weights.tensor(slot, [channels], block, 'bias'),
      ],
      { group: at.groups, kernel_shape: [at.kernel], pads: [at.pads, 0] },
    )
  const byChannel = run(builder.transpose(x, [0, 2, 1]), 'block.attention.compressed.depth', {
    groups: channels,
    kernel: depth,
    pads: depth + group - 2,
  })
  const byHead = run(byChannel, 'block.attention.compressed.group', {
    groups: heads + keyHeads,
    kernel: group,
    pads: 0,
  })
  return builder.transpose(byHead, [0, 2, 1])
}

/** The first half of the columns is of the token, the second of the one before it; before the first stand zeros. */
function delayedValues(wiring: Wiring, x: Value, block: BlockSpec): Value {
  const { builder, spec } = wiring
  const { keyHeads, headWidth, bias } = block.attention
  const into = { in: spec.width, out: (keyHeads * headWidth) / 2, bias: bias.qkv, place: block } as const
  const now = linear(wiring, x, 'block.attention.v', into)
  const before = builder.node('Slice', [
    builder.node('Pad', [x, builder.int([0, 1, 0, 0, 0, 0])]),
    builder.int([0]),
    builder.int([-1]),
    builder.int([1]),
  ])
  const delayed = linear(wiring, before, 'block.attention.compressed.delayed', into)
  return builder.node('Concat', [now, delayed], { axis: -1 })
}
