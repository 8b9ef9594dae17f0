/** How a model knows positions, resolved: tables that are added to embeddings, and rotations of queries and keys. */

/**
 * A table of positions that is added to the embeddings, learned or – where the file holds none – computed. Without
 * explicit positions a token's row is
 * `columns`  its column + offset;
 * `ids`      padId + the number of tokens up to it whose id is not `padId`, and `padId` for pads (RoBERTa);
 * `mask`     offset − 1 + the number of unmasked tokens up to it, and offset − 1 for masked ones (OPT).
 * Explicit positions p use row p + offset, row p for `ids`.
 */
export type LearnedPositions = { readonly rows: number; readonly sinusoids?: Sinusoids | undefined } & (
  | { readonly from: 'columns'; readonly offset?: number }
  | { readonly from: 'ids'; readonly padId: number }
  | { readonly from: 'mask'; readonly offset: number }
)

/**
 * Row p is [sin(p · f) | cos(p · f)] with f(k) = 10,000^(−k / `spacing`) for k < width / 2: spacing width / 2 (Vaswani et
 * al. 2017) or width / 2 − 1 (tensor2tensor).
 */
export interface Sinusoids {
  readonly spacing: number
  /** A row of zeros. */
  readonly zero: number | undefined
}

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
  /** The same where the longest position of the batch exceeds the length that longrope was trained for (Phi-3.5-MoE). */
  readonly longMagnitude?: number | undefined
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
  /** The first `pairs` pairs turn as those of a whole head, the others not at all. */
  | { readonly kind: 'proportional'; readonly factor: number; readonly pairs: number }
