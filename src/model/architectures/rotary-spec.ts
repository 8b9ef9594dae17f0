/** What rotary positions compute, resolved. */

export interface Rotary {
  /** Leading columns of each head that are rotated; even. */
  readonly width: number
  readonly base: number
  /** Pairs are (2i, 2i + 1) when interleaved, otherwise (i, i + width / 2). */
  readonly interleaved: boolean
  /** True where the angle is turned the other way (nanochat). */
  readonly reversed?: boolean
  /** Factor on cos and sin. */
  readonly magnitude: number
  readonly scaling: RotaryScaling
}

/**
 * How frequencies are stretched beyond the trained length; names and formulas are those of transformers'
 * `ROPE_INIT_FUNCTIONS`.
 */
export type RotaryScaling =
  | { readonly kind: 'default' }
  | { readonly kind: 'linear'; readonly factor: number }
  /** The base grows with the longest position of the batch once that exceeds `trainedLength`. */
  | { readonly kind: 'dynamic'; readonly factor: number; readonly trainedLength: number }
  | {
      readonly kind: 'yarn'
      readonly factor: number
      readonly trainedLength: number
      readonly betaFast: number
      readonly betaSlow: number
      readonly truncate: boolean
    }
  | {
      readonly kind: 'llama3'
      readonly factor: number
      readonly trainedLength: number
      readonly low: number
      readonly high: number
    }
  /** One divisor per frequency: `long` when the longest position of the batch exceeds `trainedLength`. */
  | {
      readonly kind: 'longrope'
      readonly trainedLength: number
      readonly short: readonly number[]
      readonly long: readonly number[]
    }
