/** Attention with linear biases (Press et al. 2022): keys further on weigh more, at a slope of each head's own. */
import type { AttendedPositions } from '#model/architectures'
import type { Value } from './builder.ts'
import type { Wiring } from './wiring.ts'

/**
 * slope · position of the key, [B × N × 1 × S], or −slope · distance, [1 × N × R × S]. Positions are counted over unmasked tokens from 0. The softmax sees
 * only differences along a row, so that this is the bias by distance of the paper.
 */
export function alibiBias(
  { builder, spec, mask, past, columns, queryColumns }: Wiring,
  { factor, rounding, symmetric }: Extract<AttendedPositions, { kind: 'alibi' }>,
): Value {
  const away = (): Value =>
    builder.node('Neg', [
      builder.node('Abs', [
        builder.node('Sub', [builder.node('Unsqueeze', [queryColumns, builder.int([1])]), columns]),
      ]),
    ])
  const counted = (): Value =>
    builder.multiply(builder.add(builder.node('CumSum', [mask, builder.int(1)]), builder.int(-1)), mask)
  const rounded = (x: Value): Value =>
    rounding === 'bfloat16' ? builder.cast(builder.cast(x, 'bfloat16'), 'float32') : x
  const byKey = rounded(
    symmetric === true
      ? builder.node('Unsqueeze', [builder.cast(away(), 'float32'), builder.int([0, 1])])
      : builder.reshape(builder.cast(past?.keyPositions() ?? counted(), 'float32'), [0, 1, 1, -1]),
  )
  const slopes = builder.float(alibiSlopes(spec.attention.heads), [1, spec.attention.heads, 1, 1])
  const bias = rounded(builder.multiply(byKey, rounded(slopes)))
  return factor === 1 ? bias : builder.multiply(bias, builder.float(factor))
}

/**
 * Geometric slopes from 2^(-8/n) down for the greatest power of two n ≤ heads; heads beyond take every second slope of
 * the sequence for 2n.
 */
export function alibiSlopes(heads: number): Float32Array {
  const whole = 2 ** Math.floor(Math.log2(heads))
  const ratio = (count: number): number => Math.fround(2 ** (-8 / count))
  return Float32Array.from({ length: heads }, (_, head) =>
    head < whole ? ratio(whole) ** (head + 1) : ratio(2 * whole) ** (2 * (head - whole) + 1),
  )
}
