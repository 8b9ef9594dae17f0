/**
 * Gated delta rule (Yang et al. 2025): a matrix state for each head that decays and in which a key's value is replaced.
 * The reference's chunks compute the same recurrence. G key heads, N value heads, K columns of a key, V of a value.
 */
import type { BlockSpec, MixerSpec, Slot } from '#model/architectures'
import { activate } from './activation.ts'
import type { Value } from './builder.ts'
import { convolveCausally, realColumns } from './causal-convolution.ts'
import { gatedNorm } from './gated-norm.ts'
import { scanMatrices } from './matrix-state.ts'
import { normalizeBy } from './norm.ts'
import { linear, type Wiring } from './wiring.ts'

type GatedDelta = Extract<MixerSpec, { kind: 'gated-delta' }>

const eachConvolution = [
  'block.scan.convolution.q',
  'block.scan.convolution.k',
  'block.scan.convolution.v',
] as const satisfies readonly Slot[]

/** [B × S × W] → [B × S × W], residual not added. Masked tokens enter the convolution and the recurrence as zeros. */
export function gatedDelta(wiring: Wiring, x: Value, block: BlockSpec, mixer: GatedDelta): Value {
  const { builder, spec, weights } = wiring
  const { keyHeads, heads, keyWidth, valueWidth, kernel, activation, norm, shareFactor, layout } = mixer
  const [ofKeys, ofValues] = [keyHeads * keyWidth, heads * valueWidth]
  const { mixed, gate, share, step } = project(wiring, x, block, mixer)
  const parted = layout === 'each' && !weights.has('block.scan.convolution', block)
  const convolved = convolveCausally(wiring, builder.multiply(mixed, realColumns(wiring)), block, {
    slot: parted ? eachConvolution : 'block.scan.convolution',
    channels: parted ? [ofKeys, ofKeys, ofValues] : 2 * ofKeys + ofValues,
    kernel,
    bias: false,
  })
  const [queries = '', keys = '', values = ''] = builder.split(
    'Split',
    [activate(builder, convolved, activation), builder.int([ofKeys, ofKeys, ofValues])],
    3,
    { axis: -1 },
  )
  const shares = builder.node('Sigmoid', [share])
  const y = scanMatrices(
    wiring,
    block,
    { keyHeads, heads, keyWidth, valueWidth },
    {
      decay: decays(wiring, step, block, mixer),
      decayPer: mixer.narrow === undefined ? 'head' : 'column',
      keys: unitHeads(wiring, keys, { heads: keyHeads, width: keyWidth, scale: 1 }),
      queries: unitHeads(wiring, queries, { heads: keyHeads, width: keyWidth, scale: keyWidth ** -0.5 }),
      values,
      share: shareFactor === 1 ? shares : builder.multiply(shares, builder.float(shareFactor)),
    },
  )
  const gated = gatedNorm(wiring, y, gate, block, { ...norm, width: ofValues })
  return linear(wiring, gated, 'block.scan.out', { in: ofValues, out: spec.width, bias: false, place: block })
}

/** exp(−a · softplus(step + bias)), [B × S × N] or [B × S × N·K]. */
function decays({ builder, weights }: Wiring, step: Value, block: BlockSpec, mixer: GatedDelta): Value {
  const { heads, keyWidth, narrow } = mixer
  const columns = narrow === undefined ? heads : heads * keyWidth
  // Kimi Linear stores [1 × 1 × N × 1]
  const dims = weights.shape('block.scan.decay', block)?.length === 4 ? [1, 1, heads, 1] : [heads]
  const rate = builder.node('Neg', [builder.node('Exp', [weights.tensor('block.scan.decay', dims, block)])])
  const steps = builder.node('Softplus', [builder.add(step, weights.tensor('block.scan.step', [columns], block))])
  if (narrow === undefined) return builder.node('Exp', [builder.multiply(steps, rate)])
  const byHead = builder.multiply(
    builder.reshape(steps, [0, 0, heads, keyWidth]),
    builder.reshape(rate, [1, 1, heads, 1]),
  )
  return builder.node('Exp', [builder.reshape(byHead, [0, 0, columns])])
}

/** Heads made `scale` long, x / √(Σ x² + 10⁻⁶): an RMS norm by another name. [B × S × heads·width]. */
export function unitHeads(
  wiring: Wiring,
  x: Value,
  { heads, width, scale }: { readonly heads: number; readonly width: number; readonly scale: number },
): Value {
  const { builder } = wiring
  const norm = { kind: 'rms', epsilon: 1e-6 / width, weight: 'plain', bias: false } as const
  const long = builder.float(new Float32Array(width).fill(scale * width ** -0.5))
  const unit = normalizeBy(wiring, builder.reshape(x, [0, 0, heads, width]), norm, width, { scale: long })
  return builder.reshape(unit, [0, 0, heads * width])
}

interface Projected {
  /** Queries, keys and values, [B × S × 2·G·K + N·V]. */
  readonly mixed: Value
  /** [B × S × N·V] */
  readonly gate: Value
  /** [B × S × N] */
  readonly share: Value
  /** [B × S × N], or [B × S × N·K] where columns decay by themselves. */
  readonly step: Value
}

function project(wiring: Wiring, x: Value, block: BlockSpec, mixer: GatedDelta): Projected {
  const { builder, spec, weights } = wiring
  const { keyHeads, heads, keyWidth, valueWidth, layout, narrow } = mixer
  const one = (slot: Slot, out: number): Value =>
    linear(wiring, x, slot, { in: spec.width, out, bias: false, place: block })
  const byNarrow = (down: Slot, slot: Slot, out: number): Value =>
    narrow === undefined
      ? one(slot, out)
      : linear(wiring, one(down, narrow), slot, { in: narrow, out, bias: false, place: block })
  const [ofKeys, ofValues] = [keyHeads * keyWidth, heads * valueWidth]
  switch (layout) {
    case 'qkv':
    case 'each': {
      const mixed =
        layout === 'qkv'
          ? one('block.scan.in', 2 * ofKeys + ofValues)
          : builder.node(
              'Concat',
              [one('block.scan.q', ofKeys), one('block.scan.k', ofKeys), one('block.scan.v', ofValues)],
              { axis: -1 },
            )
      return {
        mixed,
        gate: byNarrow('block.scan.gate.down', 'block.scan.gate', ofValues),
        share: one('block.scan.share', heads),
        step: byNarrow('block.scan.select.down', 'block.scan.select', narrow === undefined ? heads : heads * keyWidth),
      }
    }
    case 'together': {
      if (weights.has('block.scan.gate', block)) return project(wiring, x, block, { ...mixer, layout: 'qkv' })
      const widths = [2 * ofKeys + ofValues, ofValues, heads, heads]
      const all = one('block.scan.together', 2 * ofKeys + 2 * ofValues + 2 * heads)
      const [mixed = '', gate = '', share = '', step = ''] = builder.split('Split', [all, builder.int(widths)], 4, {
        axis: -1,
      })
      return { mixed, gate, share, step }
    }
    case 'by-key-head': {
      const repeats = heads / keyHeads
      const parts = (slot: Slot, widths: readonly number[]): readonly Value[] => {
        const all = widths.reduce((sum, width) => sum + width, 0)
        const byHead = builder.reshape(one(slot, keyHeads * all), [0, 0, keyHeads, all])
        return builder
          .split('Split', [byHead, builder.int(widths)], widths.length, { axis: -1 })
          .map((part, index) => builder.reshape(part, [0, 0, keyHeads * (widths[index] ?? 0)]))
      }
      const [q = '', k = '', v = '', gate = ''] = parts('block.scan.in', [
        keyWidth,
        keyWidth,
        repeats * valueWidth,
        repeats * valueWidth,
      ])
      const [share = '', step = ''] = parts('block.scan.select', [repeats, repeats])
      return { mixed: builder.node('Concat', [q, k, v], { axis: -1 }), gate, share, step }
    }
    default:
      return layout satisfies never
  }
}
