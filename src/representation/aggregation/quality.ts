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
 * In this order: softmax, log of values not below 1e-10, normalise. Throws `usage.value` for a temperature that is not
 * positive.
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

/** What similarity alone says of quality: its diagonal, or the mean of each row. */
export function qualityOf(similarity: Float64Array, n: number, from: 'diagonal' | 'row_mean'): Float64Array {
  return Float64Array.from({ length: n }, (_, i) =>
    from === 'diagonal' ? similarity[i * n + i]! : mean(similarity.subarray(i * n, (i + 1) * n)),
  )
}
