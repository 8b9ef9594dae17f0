/**
 * Differential attention (Ye et al. 2024) as transformers' DiffLlama wires it: every head weighs the values of two key
 * heads, and the heads of the second half are subtracted from those of the first.
 */
import type { BlockSpec, DifferentialAttention } from '#model/architectures'
import type { Builder, Value } from './builder.ts'
import { normalizeBy } from './norm.ts'
import type { Wiring } from './wiring.ts'

/** [B × K × S × D] → [B × K × S × 2·D]: next to each other the values of heads k and k + K/2, twice over. */
export function pairValues(builder: Builder, values: Value, keyHeads: number): Value {
  const half = keyHeads / 2
  const parts = builder.split('Split', [values, builder.int([half, half])], 2, { axis: 1 })
  const pairs = builder.node('Concat', parts, { axis: -1 })
  return builder.node('Concat', [pairs, pairs], { axis: 1 })
}

/** [B × N × S × 2·D] → [B × N/2 × S × 2·D]. */
export function subtractHeads(
  wiring: Wiring,
  mixed: Value,
  { attention: { heads, headWidth }, ...block }: BlockSpec,
  { start, norm }: DifferentialAttention,
): Value {
  const { builder, weights } = wiring
  const product = (pair: '1' | '2'): Value => {
    const [q, k] = (['q', 'k'] as const).map((side) =>
      weights.tensor(`block.attention.lambda.${side}${pair}`, [headWidth], block),
    )
    return builder.node('Exp', [
      builder.node('ReduceSum', [builder.multiply(q ?? '', k ?? ''), builder.int([-1])], { keepdims: 0 }),
    ])
  }
  const lambda = builder.add(builder.node('Sub', [product('1'), product('2')]), builder.float(start))
  const half = heads / 2
  const [first = '', second = ''] = builder.split('Split', [mixed, builder.int([half, half])], 2, { axis: 1 })
  const difference = builder.node('Sub', [first, builder.multiply(second, lambda)])
  return builder.multiply(normalizeBy(wiring, difference, norm, 2 * headWidth), builder.float(1 - start))
}
