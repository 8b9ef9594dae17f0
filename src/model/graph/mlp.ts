/** The position-wise half of a block. */
import type { BlockSpec } from '#model/architectures'
import { activate } from './activation.ts'
import type { Value } from './builder.ts'
import { mixExperts } from './experts.ts'
import { linear, type Wiring } from './wiring.ts'

/** [B × S × W] → [B × S × W] for a `width` W, residual not added. */
export function feedForward(wiring: Wiring, x: Value, block: BlockSpec, width = wiring.spec.width): Value {
  const { builder, spec } = wiring
  const { mlp } = block
  const layer = { place: block, layout: spec.tensors.linear, bias: mlp.bias }
  const groups = mlp.kind === 'plain' ? mlp.groups : undefined
  const out = (inner: Value): Value =>
    linear(wiring, inner, 'block.mlp.out', { in: mlp.width, out: width, groups: groups?.out, ...layer })
  switch (mlp.kind) {
    case 'plain':
      return out(
        activate(
          builder,
          linear(wiring, x, 'block.mlp.in', { in: width, out: mlp.width, groups: groups?.in, ...layer }),
          mlp.activation,
        ),
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
      return out(builder.multiply(activate(builder, first ?? x, mlp.activation), second ?? x))
    }
    case 'experts':
      return mixExperts(wiring, x, block, mlp)
    default:
      return mlp satisfies never
  }
}
