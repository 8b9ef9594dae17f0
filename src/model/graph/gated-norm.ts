/** What a mixer puts out, normed and gated before the projection out. */
import type { BlockSpec, GatedNorm } from '#model/architectures'
import { activate } from './activation.ts'
import type { Value } from './builder.ts'
import { normalizeBy } from './norm.ts'
import type { Wiring } from './wiring.ts'

/**
 * [B × S × I] with an RMS norm over each of `groups` runs of columns, and the gate before or after it. One weight for
 * every column, or one for all groups alike.
 */
export function gatedNorm(
  wiring: Wiring,
  x: Value,
  gate: Value,
  block: BlockSpec,
  { norm, groups, width, order, activation, weightPer }: GatedNorm & { readonly width: number },
): Value {
  const { builder, weights } = wiring
  const gated = (value: Value): Value => builder.multiply(value, activate(builder, gate, activation))
  const columns = width / groups
  const byGroup = builder.reshape(order === 'gate-first' ? gated(x) : x, [0, 0, groups, columns])
  const scale =
    weightPer === 'column'
      ? builder.reshape(weights.tensor('block.scan.norm', [width], block), [groups, columns])
      : weights.tensor('block.scan.norm', [columns], block)
  const neutral = normalizeBy(wiring, byGroup, { ...norm, weight: 'none' }, columns)
  const weighed = builder.multiply(neutral, norm.weight === 'plus-one' ? builder.add(scale, builder.float(1)) : scale)
  const normed = builder.reshape(weighed, [0, 0, width])
  return order === 'norm-first' ? gated(normed) : normed
}
