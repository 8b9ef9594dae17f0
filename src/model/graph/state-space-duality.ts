/**
 * Mamba-2's mixer (Dao & Gu 2024): a scalar decay for each head, keys and queries shared by groups of heads. The
 * reference's chunks compute the same recurrence.
 */
import type { BlockSpec, MixerSpec } from '#model/architectures'
import { activate } from './activation.ts'
import type { Value } from './builder.ts'
import { convolveCausally, realColumns } from './causal-convolution.ts'
import { gatedNorm } from './gated-norm.ts'
import { scanMatrices } from './matrix-state.ts'
import { linear, type Wiring } from './wiring.ts'

type Duality = Extract<MixerSpec, { kind: 'state-space-duality' }>

/** [B × S × W] → [B × S × W], residual not added. Masked tokens enter the convolution and the recurrence as zeros. */
export function stateSpaceDuality(wiring: Wiring, x: Value, block: BlockSpec, scan: Duality): Value {
  const { builder, spec, weights } = wiring
  const { heads, headWidth, groups, states, kernel, kernelBias, activation, norm, factors } = scan
  const inner = heads * headWidth
  const channels = inner + 2 * groups * states
  const real = realColumns(wiring)
  const times = (value: Value, by = 1): Value => (by === 1 ? value : builder.multiply(value, builder.float(by)))
  const projected = linear(wiring, times(x, factors?.in), 'block.scan.in', {
    in: spec.width,
    out: inner + channels + heads,
    bias: scan.bias.in,
    place: block,
  })
  const scaled = factors === undefined ? projected : builder.multiply(projected, builder.float(columnFactors(scan)))
  const [gate = '', entering = '', steps = ''] = builder.split(
    'Split',
    [scaled, builder.int([inner, channels, heads])],
    3,
    { axis: -1 },
  )
  const convolved = convolveCausally(wiring, builder.multiply(entering, real), block, {
    slot: 'block.scan.convolution',
    channels,
    kernel,
    bias: kernelBias,
  })
  const seen = builder.multiply(activate(builder, convolved, activation), real)
  const widths = [inner, groups * states, groups * states]
  const [u = '', write = '', read = ''] = builder.split('Split', [seen, builder.int(widths)], 3, { axis: -1 })

  const step = clip(
    wiring,
    builder.node('Softplus', [builder.add(steps, weights.tensor('block.scan.step', [heads], block))]),
    scan.limits,
  )
  const rate = builder.node('Neg', [builder.node('Exp', [weights.tensor('block.scan.decay', [heads], block)])])
  const byHead = builder.reshape(u, [0, 0, heads, headWidth])
  const y = scanMatrices(
    wiring,
    block,
    { keyHeads: groups, heads, keyWidth: states, valueWidth: headWidth },
    {
      decay: builder.node('Exp', [builder.multiply(step, rate)]),
      decayPer: 'head',
      keys: write,
      queries: read,
      values: builder.multiply(byHead, builder.reshape(step, [0, 0, heads, 1])),
    },
  )
  const skip = builder.reshape(weights.tensor('block.scan.skip', [heads], block), [heads, 1])
  const skipped = builder.add(y, builder.reshape(builder.multiply(byHead, skip), [0, 0, inner]))
  const gated =
    norm === undefined
      ? builder.multiply(skipped, activate(builder, gate, 'silu'))
      : gatedNorm(wiring, skipped, gate, block, { ...norm, width: inner })
  const out = linear(wiring, gated, 'block.scan.out', { in: inner, out: spec.width, bias: scan.bias.out, place: block })
  return times(out, factors?.out)
}

function clip({ builder }: Wiring, x: Value, { least, most }: Duality['limits']): Value {
  if (least <= 0 && most === undefined) return x
  return builder.node('Clip', [x, builder.float(least), ...(most === undefined ? [] : [builder.float(most)])])
}

/** Factors of gate, input, keys, queries and steps, one for every column of the projection. */
function columnFactors({ factors, heads, headWidth, groups, states }: Duality): Float32Array {
  const inner = heads * headWidth
  const widths = [inner, inner, groups * states, groups * states, heads]
  return Float32Array.from(
    widths.flatMap((width, part) => Array.from({ length: width }, () => factors?.parts[part] ?? 1)),
  )
}
