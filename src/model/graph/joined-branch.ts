/** A transformer block next to the stream, whose output a scan reads (Zamba: Glorioso et al. 2024). */
import type { BlockSpec } from '#model/architectures'
import { attendFrom, type AttentionContext } from './attention.ts'
import type { Value } from './builder.ts'
import { feedForward } from './mlp.ts'
import { normalize } from './norm.ts'
import { linear, type Wiring } from './wiring.ts'

/** P·M(n2(A(n([x | embedding])))), [B × S × W]. */
export function joinedBranch(
  wiring: Wiring,
  context: AttentionContext,
  { x, embedded }: { readonly x: Value; readonly embedded: Value },
  block: BlockSpec,
): Value {
  const { builder, spec } = wiring
  const { norm, width } = spec
  const place = block
  const both = builder.node('Concat', [x, embedded], { axis: -1 })
  const input = normalize(wiring, both, { slot: 'block.joined.norm', norm, width: 2 * width, place })
  const from = { x: input, width: 2 * width, values: input, valueWidth: 2 * width, out: width }
  const attended = attendFrom(wiring, context, from, block)
  const inner = normalize(wiring, attended, { slot: 'block.norm2', norm, width, place })
  const mixed = feedForward(wiring, inner, block)
  return linear(wiring, mixed, 'block.joined.out', { in: width, out: width, bias: false, place })
}
