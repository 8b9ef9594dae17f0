/** Tables in narrow numbers, as model2vec's `quantize_embeddings` narrows them. */
import type { Dtype } from '#core'
import { narrow, widen } from '#files/formats'

export type TableDtype = 'float32' | 'float16' | 'int8'

const stored = { float32: 'F32', float16: 'F16', int8: 'I8' } as const satisfies Record<TableDtype, Dtype>

/**
 * Bytes of the values. int8 spans −127 … 127 by the largest magnitude of the whole table, and the scale is not kept: a
 * text's vector is normalised in the end. Values pass through float16 before they are divided, and after, as there.
 *
 * @example
 * ```ts
 * import { narrowTable } from 'strata-lm/distill'
 *
 * const { dtype, bytes } = narrowTable(Float32Array.of(2, -1, 0.5), 'int8')
 * console.log(dtype, [...new Int8Array(bytes.buffer)]) // → I8 [ 127, -64, 32 ]
 * ```
 */
export function narrowTable(values: Float32Array, dtype: TableDtype): { dtype: Dtype; bytes: Uint8Array } {
  if (dtype !== 'int8') return { dtype: stored[dtype], bytes: narrow(values, stored[dtype]) }
  let largest = 0
  for (const value of values) largest = Math.max(largest, Math.abs(value))
  const scale = largest / 127
  const halves = widen(narrow(values, 'F16'), 'F16')
  if (scale > 0) for (let i = 0; i < halves.length; i++) halves[i] = (halves[i] ?? 0) / scale
  const divided = widen(narrow(halves, 'F16'), 'F16')
  return { dtype: 'I8', bytes: new Uint8Array(Int8Array.from(divided, roundHalfEven).buffer) }
}

function roundHalfEven(value: number): number {
  const down = Math.floor(value)
  const rest = value - down
  const isUp = rest > 0.5 || (rest === 0.5 && down % 2 !== 0)
  return Math.min(127, Math.max(-127, isUp ? down + 1 : down))
}
