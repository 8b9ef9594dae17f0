/** The position-wise half of a block. */
import type { BlockSpec } from '#model/architectures'
import { activate } from './activation.ts'
import type { Value } from './builder.ts'
import { mixExperts } from './experts.ts'
import { linear, type Wiring } from './wiring.ts'

/** [B × S × W] → [B × S × W], residual not added. */
export function feedForward(wiring: Wiring, x: Value, block: BlockSpec): Value {
  const { builder, spec, weights } = wiring
  const { width } = spec
  const { mlp } = block
  const bias = typeof mlp.bias === 'boolean' ? { in: mlp.bias, out: mlp.bias } : mlp.bias
  const stored = { place: block, layout: spec.tensors.linear }
  const layer = { ...stored, bias: bias.in }
  const out = (inner: Value): Value =>
    linear(wiring, inner, 'block.mlp.out', { in: mlp.width, out: width, ...stored, bias: bias.out })
  switch (mlp.kind) {
    case 'plain':
      return out(
        activate(builder, linear(wiring, x, 'block.mlp.in', { in: width, out: mlp.width, ...layer }), mlp.activation),
      )
    case 'gated': {
      const apart =
        mlp.layout === 'separate' || (!weights.has('block.mlp.in', block) && weights.has('block.mlp.gate', block))
      const halves = apart
        ? (['block.mlp.gate', 'block.mlp.up'] as const).map((slot) =>
            linear(wiring, x, slot, { in: width, out: mlp.width, ...layer }),
          )
        : builder.split(
            'Split',
            [
              linear(wiring, x, 'block.mlp.in', { in: width, out: 2 * mlp.width, ...layer }),
              builder.int([mlp.width, mlp.width]),
            ],
            2,
            { axis: -1 },
          )
      const [gate, up] = mlp.layout === 'halves-reversed' && !apart ? halves.toReversed() : halves
      return out(builder.multiply(activate(builder, gate ?? x, mlp.activation), up ?? x))
    }
    case 'experts':
      return mixExperts(wiring, x, block, mlp)
    default:
      return mlp satisfies never
  }
}
