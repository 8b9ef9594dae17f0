/** What every part of the graph works with. Shapes in comments: B rows (texts), S cols (tokens), W width, N heads, K key heads, D head width. */
import type { ModelSpec, Slot } from '../architectures/index.ts'
import type { Builder, Value } from './builder.ts'
import type { Place } from './names.ts'
import type { Weights } from './weights.ts'

export interface Wiring {
  readonly builder: Builder
  readonly spec: ModelSpec
  readonly weights: Weights
  /** [B × S] */
  readonly ids: Value
  /** [B × S] int64, 1 for real tokens. */
  readonly mask: Value
  /** [B × S] int64 where the caller gives them. */
  readonly positions: Value | undefined
  readonly tokenTypes: Value | undefined
  /** 0 … S-1, [S] int64. */
  readonly columns: Value
}

/** x·Wᵀ + b with W as a Linear layer stores it, [out × in]; `in-out` multiplies as stored. */
export function linear(
  wiring: Wiring,
  x: Value,
  slot: Slot,
  options: { in: number; out: number; bias: boolean; place?: Place; layout?: 'out-in' | 'in-out' },
): Value {
  const { builder, weights } = wiring
  const { out, bias, place = {}, layout = 'out-in' } = options
  const product =
    layout === 'out-in'
      ? builder.fused('FusedMatMul', [x, weights.tensor(slot, [out, options.in], place)], { transB: 1 })
      : builder.node('MatMul', [x, weights.tensor(slot, [options.in, out], place)])
  return bias ? builder.add(product, weights.tensor(slot, [out], place, 'bias')) : product
}
