/** The position-wise half of a block. */
import type { BlockSpec } from '#model/architectures'
import { activate } from './activation.ts'
import type { Value } from './builder.ts'
import { mixExperts } from './experts.ts'
import { linear, type Wiring } from './wiring.ts'

/** [B × S × W] → [B × S × W], residual not added. */
export function feedForward(wiring: Wiring, x: Value, block: BlockSpec): Value {
  const { builder, spec } = wiring
  const { width } = spec
  const { mlp } = block
  const layer = { place: block, layout: spec.tensors.linear, bias: mlp.bias }
  const out = (inner: Value): Value => linear(wiring, inner, 'block.mlp.out', { in: mlp.width, out: width, ...layer })
  switch (mlp.kind) {
    case 'plain':
      return out(
        activate(builder, linear(wiring, x, 'block.mlp.in', { in: width, out: mlp.width, ...layer }), mlp.activation),
      )
    case 'gated': {
      const [first, second] =
        mlp.layout === 'separate'
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
              {
                axis: -1,
              },
            )
      const { factors } = mlp
      const scaled = (value: Value, by = 1): Value => (by === 1 ? value : builder.multiply(value, builder.float(by)))
      const gate = activate(builder, scaled(first ?? x, factors?.gate), mlp.activation)
      return scaled(out(builder.multiply(gate, second ?? x)), factors?.out)
    }
    case 'experts':
      return mixExperts(wiring, x, block, mlp)
    default:
      return mlp satisfies never
  }
}
