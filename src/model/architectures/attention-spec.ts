/** How tokens attend to each other, and to an encoder, resolved. */
import type { LatentSpec, OutGate } from './latent-spec.ts'
import type { NormSpec } from './norm-spec.ts'
import type { Rotary } from './position-spec.ts'

export interface AttentionSpec {
  readonly heads: number
  readonly keyHeads: number
  readonly headWidth: number
  /**
   * How query, key and value lie in the file: three matrices, or one (and three where the file has those):
   * `qkv`          [all q | all k | all v];
   * `qkv-by-head`  of each key head in turn: its queries, the key, the value;
   * `separate-by-head`  three tensors [columns × heads × head width], and one of what comes out (XLNet);
   * `qvk-by-quarter`  of each quarter of the columns in turn: queries, values, keys (CodeGen).
   */
  readonly layout: 'separate' | 'qkv' | 'qkv-by-head' | 'qvk-by-quarter' | 'separate-by-head'
  readonly bias: { readonly qkv: boolean; readonly out: boolean }
  /** Parts that have a bias of their own next to a matrix of all three, or alone (DeBERTa, Funnel). */
  readonly partBias?: readonly ('q' | 'k' | 'v')[] | undefined
  /**
   * Every token chooses `perToken` of `experts` pairs of projections, of queries and of what comes out, each for all key
   * heads; their softmax are the shares. Keys and values are made by one projection (JetMoe).
   */
  readonly mixture?: { readonly experts: number; readonly perToken: number } | undefined
  /**
   * Queries and keys meet their neighbours before: two convolutions along the text, by channel and by head, are added to
   * means of the heads that belong together; half of the values are of the token before (compressed convolutional
   * attention, ZAYA).
   */
  readonly compressed?: { readonly depth: number; readonly group: number } | undefined
  /** Rank of branches x · A · B next to the projections of queries, keys and values (Zamba 2). */
  readonly branch?: number | undefined
  /** Projections that mix the columns of a group alone (SqueezeBERT). */
  readonly groups?: { readonly q: number; readonly k: number; readonly v: number; readonly out: number } | undefined
  /** Half of what the block attends with is a convolution along the text (ConvBERT). */
  readonly convolution?: AttentionConvolution | undefined
  readonly queryKeyNorm: QueryKeyNorm | undefined
  /** c · tanh(score / c) before the mask. */
  readonly softcap: number | undefined
  /** Queries, keys and values are cut off at ±clip, after the norms of queries and keys. */
  readonly clip: number | undefined
  /** Columns of a head's values, where they are not as many as those of its keys. */
  readonly valueWidth?: number | undefined
  /** Factor on values. */
  readonly valueScale?: number | undefined
  /** Queries, keys and values are made from fewer columns; `bias.qkv` is that of the projections to these. */
  readonly latent?: LatentSpec | undefined
  /** What heads mixed is multiplied by an activation of a projection of x before it is projected out. */
  readonly outGate?: OutGate | undefined
  /**
   * Joined heads are multiplied by the sigmoid of a gate; `with-queries`: each head's columns follow its query's in one
   * projection (Qwen3-Next).
   */
  readonly gate: 'with-queries' | undefined
  /** On what goes in and what comes out (Falcon H1). */
  readonly factors: { readonly in: number; readonly out: number } | undefined
  readonly positions: AttendedPositions
  /** Queries grow with their position (Llama 4). */
  readonly temperature?: QueryTemperature | undefined
  /** Every head has one more score, learned, that takes part in the softmax and has no value (gpt-oss). */
  readonly sinks?: boolean
  /** Two softmaxes, of which one is subtracted from the other (Ye et al. 2024). */
  readonly differential?: DifferentialAttention | undefined
  /** Norm of every head's values. */
  readonly valueNorm?: NormSpec | undefined
  /** Values are the projected keys, before their norm and rotation. */
  readonly values?: 'keys' | undefined
  /** Keys have a bias made from their values (Doge). */
  readonly dynamicMask?: DynamicMask | undefined
  /** Norm of the joined heads before they are projected out (BitNet). */
  readonly outNorm?: NormSpec | undefined
}

/**
 * Along the text, over an odd number of tokens around each:
 * `dynamic`   next to the heads, as many columns of values mixed with shares that each token's query and its
 * surroundings decide (Jiang et al. 2020);
 * `per-head`  of a head's values, with one kernel for all its columns, added to what it attends to (Xiong et al. 2021).
 */
export interface AttentionConvolution {
  readonly kind: 'dynamic' | 'per-head'
  readonly kernel: number
}

/**
 * Norm of queries and keys: one for every head alike, one for each head (a tensor per head, or all of them stacked as
 * [heads × head width]), or one over all heads at once.
 */
export interface QueryKeyNorm {
  readonly over: 'head' | 'each-head' | 'stacked-heads' | 'all-heads'
  readonly norm: NormSpec
  /** Before the rotation unless said otherwise. */
  readonly place?: 'after-rotary'
}

/** A query at position p is multiplied by 1 + `strength` · ln(1 + ⌊(p + `offset`) / `length`⌋). */
export interface QueryTemperature {
  readonly strength: number
  readonly length: number
  readonly offset: 0 | 1
  /** Whether the column counts, whatever positions the caller gives (Llama 4). */
  readonly byColumn?: boolean
}

/**
 * Heads of the first half minus λ times those of the second, each over the values of both halves, normed without a
 * weight and multiplied by 1 − `start`; λ = exp(q₁ · k₁) − exp(q₂ · k₂) + `start` of learned vectors.
 */
export interface DifferentialAttention {
  readonly start: number
  readonly norm: NormSpec
}

/**
 * exp(a · softplus(projected values)) is added to the scores of a key, per key head; where a query sees more keys than
 * `keep`, those with the greatest bias remain.
 */
export interface DynamicMask {
  readonly keep: number
  readonly bias: boolean
}

/** How attention knows where tokens stand. */
export type AttendedPositions =
  | { readonly kind: 'none' }
  /** `values`: they are rotated as queries and keys are. */
  | { readonly kind: 'rotary'; readonly tables: readonly Rotary[]; readonly values?: boolean | undefined }
  /**
   * A learned bias per head and bucket of distance, one table of `rows` buckets for all layers (T5, MPNet) or one for
   * each block (UMT5); causal models put all buckets behind the query. `byHead`: the table lies as [heads × buckets] and is
   * multiplied by a factor (LayoutLMv3).
   */
  | {
      readonly kind: 'buckets'
      readonly buckets: number
      readonly maxDistance: number
      readonly rows: number
      readonly perBlock?: boolean | undefined
      readonly byHead?: { readonly factor: number } | undefined
    }
  /**
   * `keys`: queries meet keys made from a table of 2 · `span` relative positions; `queries`: keys meet queries made
   * from it; by the projections of content when `shared`, by their own otherwise (He et al. 2021). Distances are
   * clipped to the table or, when `logarithmic`, put into buckets up to `maxDistance`.
   */
  | {
      readonly kind: 'disentangled'
      readonly keys: boolean
      readonly queries: boolean
      readonly shared: boolean
      /** False where keys made from the table have no bias (DeBERTa's first version). */
      readonly keyBias?: boolean | undefined
      readonly span: number
      readonly maxDistance: number
      readonly logarithmic: boolean
      readonly norm: NormSpec | undefined
    }
  /**
   * factor · slope of the head · position of the key (Press et al. 2022), or −slope · distance of query and key where
   * `symmetric`; with every product rounded, as it was in training, or not.
   */
  | {
      readonly kind: 'alibi'
      readonly factor: number
      readonly rounding: 'none' | 'bfloat16'
      readonly symmetric?: true
    }
  /**
   * Keys made of sinusoids of distances, up to `clamp`, and learned biases of queries that meet keys, distances and types
   * of tokens (Transformer-XL, XLNet). `firstApart`: distances and types say nothing about the first token; `shared`: the type that
   * counts as equal to every other; equal types have the second of the two vectors then (Funnel).
   */
  | {
      readonly kind: 'relative-sinusoids'
      readonly clamp: number | undefined
      readonly firstApart?: boolean | undefined
      readonly sharedType?: number | undefined
    }
  /**
   * A learned vector per distance, dotted with the query, or with query and key (Shaw et al. 2018; Huang et al. 2020).
   */
  | { readonly kind: 'distance'; readonly with: 'query' | 'query-and-key'; readonly maxPositions: number }

/** Attention of a decoder to the states of an encoder: no positions, no biases, scores scaled as the block's own. */
export interface CrossSpec {
  /** Columns of the encoder's states. */
  readonly width: number
  readonly heads: number
  readonly headWidth: number
}
