/** Which keys a query may see, as a bias on scores: 0 where it may, a large negative number where not. */
import type { BlockSpec } from '#model/architectures'
import type { Value } from './builder.ts'
import { masked, maskedPooled } from './masked.ts'
import type { Wiring } from './wiring.ts'

/** How far a block sees. */
export type Span = Pick<BlockSpec, 'window' | 'ahead'>

/** [B × 1 × 1 × S], or [B × 1 × R × S] for R queries where order or distance matters. */
export function maskBias(wiring: Wiring, span: Span): Value {
  const { builder, spec, mask, past } = wiring
  if (past !== undefined) {
    const visible = builder.node('Unsqueeze', [builder.cast(past.visible(span.window), 'bool'), builder.int([1])])
    return builder.node('Where', [visible, builder.float(0), builder.float(masked)])
  }
  const real = builder.reshape(builder.cast(mask, 'bool'), [0, 1, 1, -1])
  const near = distanceAllowed(wiring, span, spec.causal)
  const allowed = near === undefined ? real : builder.node('And', [real, near])
  const unseen = wiring.pooled === undefined ? masked : maskedPooled
  return builder.node('Where', [allowed, builder.float(0), builder.float(unseen)])
}

/** [R × S] (query, key), or undefined when every distance is allowed. */
function distanceAllowed(
  { builder, columns, queryColumns }: Wiring,
  { window, ahead = window }: Span,
  causal: boolean,
): Value | undefined {
  if (!causal && window === undefined) return undefined
  const query = builder.node('Unsqueeze', [queryColumns, builder.int([1])])
  const back = builder.node('Sub', [query, columns])
  const limits = [
    ...(causal ? [builder.node('GreaterOrEqual', [back, builder.int(0)])] : []),
    ...(window === undefined ? [] : [builder.node('Less', [back, builder.int(window)])]),
    ...(ahead === undefined || causal ? [] : [builder.node('Greater', [back, builder.int(-ahead)])]),
  ]
  return limits.reduce((all, limit) => builder.node('And', [all, limit]))
}
