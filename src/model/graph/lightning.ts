/**
 * Lightning attention (Qin et al. 2024): linear attention whose state decays by head; the reference's blocks compute the
 * same recurrence. N heads, D columns of each.
 */
import type { BlockSpec, MixerSpec } from '#model/architectures'
import { activate } from './activation.ts'
import type { Value } from './builder.ts'
import { realColumns } from './causal-convolution.ts'
import { gatedNorm } from './gated-norm.ts'
import { scanMatrices } from './matrix-state.ts'
import { linear, type Wiring } from './wiring.ts'

type Lightning = Extract<MixerSpec, { kind: 'lightning' }>

/** [B × S × W] → [B × S × W], residual not added. Masked tokens enter as zeros. */
export function lightningAttention(wiring: Wiring, x: Value, block: BlockSpec, mixer: Lightning): Value {
  const { builder, spec } = wiring
  const { heads, headWidth, activation, norm } = mixer
  const inner = heads * headWidth
  const into = { in: spec.width, bias: false, place: block } as const
  const projected = activate(builder, linear(wiring, x, 'block.scan.in', { ...into, out: 3 * inner }), activation)
  const byHead = builder.reshape(builder.multiply(projected, realColumns(wiring)), [0, 0, heads, 3 * headWidth])
  const widths = builder.int([headWidth, headWidth, headWidth])
  const [queries = '', keys = '', values = ''] = builder
    .split('Split', [byHead, widths], 3, { axis: -1 })
    .map((part) => builder.reshape(part, [0, 0, inner]))
  const decay = builder.node('Exp', [builder.node('Neg', [slopes(wiring, block, mixer)])])
  const rowsAndColumns = builder.node('Shape', [x], { start: 0, end: 2 })
  const y = scanMatrices(
    wiring,
    block,
    { keyHeads: heads, heads, keyWidth: headWidth, valueWidth: headWidth },
    {
      decay: builder.node('Expand', [
        decay,
        builder.node('Concat', [rowsAndColumns, builder.int([heads])], { axis: 0 }),
      ]),
      decayPer: 'head',
      keys,
      queries,
      values,
    },
  )
  const gate = linear(wiring, x, 'block.scan.gate', { ...into, out: inner })
  const gated = gatedNorm(wiring, y, gate, block, { ...norm, width: inner })
  return linear(wiring, gated, 'block.scan.out', { in: inner, out: spec.width, bias: false, place: block })
}

/** [1 × 1 × N] */
function slopes({ builder, weights }: Wiring, block: BlockSpec, { heads, slopes: usual }: Lightning): Value {
  return weights.has('block.scan.decay', block)
    ? builder.reshape(weights.tensor('block.scan.decay', [heads, 1, 1], block), [1, 1, heads])
    : builder.float(usual, [1, 1, heads])
}
