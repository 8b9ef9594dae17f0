/**
 * Products of weights in 8-bit integers, the sums exact: one scale for each row of activations and one for each channel
 * of weights, both the greatest magnitude over 127 (the symmetric form of Jacob et al. 2018). A row has its own scale,
 * so the result for a text does not depend on the other texts in its batch.
 */
import type { Builder, Value } from './builder.ts'
import { integerShift, integerSteps, type IntegerWeights, leastScale } from './integer-weights.ts'
import { remember } from './remember.ts'

/** A quantized weight among the constants. */
export interface IntegerWeight {
  /** [in × out] */
  readonly bytes: Value
  /** [out] */
  readonly scales: Value
}

export interface IntegerProducts {
  readonly form: IntegerWeights
  /** x [… × in] · weight → [… × out]. */
  multiply(x: Value, weight: IntegerWeight): Value
}

/** Weights come as `form` says: signed bytes, or bytes shifted by 128. */
export function integerProducts(builder: Builder, form: IntegerWeights): IntegerProducts {
  const zero = (type: IntegerWeights, name: string): Value =>
    builder.initializer({ name, type, dims: [], data: Uint8Array.of(type === 'uint8' ? integerShift : 0) })
  const [zeroOfRows, zeroOfWeights] = [zero('uint8', 'integer.rows.zero'), zero(form, 'integer.weights.zero')]
  // Queries, keys and values multiply the same rows.
  const rowsOf = remember((x: Value) => {
    const scale = rowScales(builder, x)
    const whole = builder.node('Round', [builder.node('Div', [x, scale])])
    return { bytes: builder.cast(builder.add(whole, builder.float(integerShift)), 'uint8'), scale }
  })
  return {
    form,
    multiply(x, { bytes, scales }) {
      const rows = rowsOf(x)
      return builder.multiply(
        builder.fused('MatMulIntegerToFloat', [rows.bytes, bytes, builder.float(1), scales, zeroOfRows, zeroOfWeights]),
        rows.scale,
      )
    },
  }
}

/** max |x| / 127 of every row. The engine's maximum overlooks a NaN, so the sum, which does not, is added 0 times. */
function rowScales(builder: Builder, x: Value): Value {
  const along = (op: 'ReduceMax' | 'ReduceSum', value: Value): Value =>
    builder.node(op, [value, builder.int([-1])], { keepdims: 1 })
  const greatest = builder.node('Div', [along('ReduceMax', builder.node('Abs', [x])), builder.float(integerSteps)])
  return builder.add(
    builder.node('Max', [greatest, builder.float(leastScale)]),
    builder.multiply(along('ReduceSum', x), builder.float(0)),
  )
}
