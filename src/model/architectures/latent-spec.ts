/** Attention from latent columns, and gates on what it mixes. */
import type { NormSpec } from './norm-spec.ts'

/**
 * Multi-head latent attention (DeepSeek-AI 2024): columns of a head are those that do not turn, then `rotated` ones; the
 * rotated columns of keys are one and the same for all heads.
 */
export interface LatentSpec {
  /** Columns from which queries are made; undefined where they are projected at once. */
  readonly queryRank: number | undefined
  /** Columns from which keys and values are made. */
  readonly rank: number
  readonly rotated: number
  /** Norm of the latent columns. */
  readonly norm: NormSpec
  /** On queries, and on what keys and values are made from (LongCat). */
  readonly factors: { readonly query: number; readonly key: number } | undefined
  /** Where set, a query sees only the keys that the indexer chooses. */
  readonly indexer?: IndexerSpec | undefined
}

/** Small heads that choose the `top` keys of each query (DeepSeek-V3.2); `own` is false where a block takes the last choice. */
export interface IndexerSpec {
  readonly heads: number
  readonly width: number
  readonly top: number
  /** Pairs of the leading, rotated columns. */
  readonly interleaved: boolean
  readonly own: boolean
}

export interface OutGate {
  readonly activation: 'sigmoid' | 'softplus'
  readonly per: 'column' | 'head'
}
