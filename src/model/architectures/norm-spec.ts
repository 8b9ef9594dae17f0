/** A norm over columns, resolved. */

export interface NormSpec {
  /** `affine` has parameters and measures nothing: x · weight + bias (MobileBERT). */
  readonly kind: 'layer' | 'rms' | 'affine'
  readonly epsilon: number
  /** `plus-one` multiplies by 1 + weight (Gemma); `none` has no parameters. */
  readonly weight: 'plain' | 'plus-one' | 'none'
  readonly bias: boolean
}
