/** Quality of single layers, made ready for the methods. */
import { fault, mean } from '#core'
import { normalised } from './method.ts'

export interface QualityTransforms {
  /** exp(q / T), scaled to sum to 1. */
  readonly softmax?: number | undefined
  readonly log?: boolean | undefined
  /** Whether the qualities are scaled to sum to 1. */
  readonly normalise?: boolean | undefined
}

/**
 * A copy of the qualities [n], transformed in this order: softmax at a temperature, logarithm of values not below
 * 1e-10, division by the sum. Throws `usage.value` for a temperature that is not positive.
 *
 * @example
 * ```ts
 * import { transformedQuality } from 'strata-lm/aggregation'
 *
 * console.log([...transformedQuality(Float64Array.of(1, 3), { normalise: true })]) // → [ 0.25, 0.75 ]
 * ```
 */
export function transformedQuality(
  quality: Float64Array,
  { softmax, log = false, normalise = false }: QualityTransforms,
): Float64Array {
  let out = quality
  if (softmax !== undefined) {
    if (!(softmax > 0))
      throw fault('usage.value', {
        place: '--softmax',
        what: 'not a temperature',
        seen: softmax,
        wanted: 'a number above 0',
      })
    const top = Math.max(...out)
    out = normalised(out.map((value) => Math.exp((value - top) / softmax)))
  }
  if (log) out = out.map((value) => Math.log(Math.max(value, 1e-10)))
  return normalise ? normalised(out) : out
}

/**
 * What a similarity matrix [n × n] alone says about the quality of each state: its diagonal, or the mean of each row.
 * [n]
 *
 * @example
 * ```ts
 * import { qualityOf } from 'strata-lm/aggregation'
 *
 * console.log([...qualityOf(Float64Array.of(1, 0.5, 0.5, 0), 2, 'row_mean')]) // → [ 0.75, 0.25 ]
 * ```
 */
export function qualityOf(similarity: Float64Array, n: number, from: 'diagonal' | 'row_mean'): Float64Array {
  return Float64Array.from({ length: n }, (_, i) =>
    from === 'diagonal' ? similarity[i * n + i]! : mean(similarity.subarray(i * n, (i + 1) * n)),
  )
}
