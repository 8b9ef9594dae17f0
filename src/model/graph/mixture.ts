/** Experts next to an MLP (Gemma 4): each reads the stream under a norm of its own, their normed outputs are added. */
import type { BlockSpec, ExpertsSpec, Slot } from '#model/architectures'
import type { Value } from './builder.ts'
import { mixExperts } from './experts.ts'
import { normalize } from './norm.ts'
import type { Wiring } from './wiring.ts'

/** n(dense) + n'(experts(n''(x))), [B × S × W]; the router reads a norm of x over √W. */
export function withMixture(
  wiring: Wiring,
  { x, dense }: { readonly x: Value; readonly dense: Value },
  block: BlockSpec,
  experts: ExpertsSpec,
): Value {
  const { builder, spec } = wiring
  const { norm, width } = spec
  const normed = (value: Value, slot: Slot): Value => normalize(wiring, value, { slot, norm, width, place: block })
  const judged = builder.multiply(normed(x, 'block.mlp.router.norm'), builder.float(width ** -0.5))
  const mixed = mixExperts(wiring, normed(x, 'block.mixture.norm'), block, experts, judged)
  return builder.add(normed(dense, 'block.mixture.mlp.norm'), normed(mixed, 'block.mixture.norm.after'))
}
