/** Embeddings of tokens, resolved. */
import type { NormSpec } from './norm-spec.ts'
import type { LearnedPositions } from './position-spec.ts'
import type { Slot } from './slots.ts'

export interface EmbeddingSpec {
  /** Rows of the token table: the vocabulary, or more. */
  readonly rows: number
  /** Columns of the token table. */
  readonly width: number
  /** Rows of the token-type table, 0 when there is none. */
  readonly tokenTypes: number
  readonly positions: LearnedPositions | undefined
  readonly norm: NormSpec | undefined
  /** True where positions are added after the norm. */
  readonly normFirst?: boolean | undefined
  /** Factor on the token's row, before types and positions are added. */
  readonly multiplier: number
  /** Rows of further tables that every token of a bare text gets: of boxes, tasks and cells the first. */
  readonly fixed: readonly FixedRow[]
  /** One more row that every token of a bare text gets, of parts side by side. */
  readonly assembled?: AssembledRow | undefined
  /** Parts of a token's vector stand side by side, each a row of its own table: (id + 1) · prime mod rows (CANINE). */
  readonly hashed?: { readonly primes: readonly number[] } | undefined
  /** Ids of `maskId` count as zeros, and the others are scaled by (1 − share) / (1 − their share of the text) (ESM). */
  readonly tokenDropout: { readonly maskId: number; readonly share: number } | undefined
  /** What goes into the first block is shifted by a learned vector, and then scaled by another (ZAYA). */
  readonly shifted?: boolean | undefined
  /** The vectors of the tokens after and before stand next to a token's, [next | own | previous] (MobileBERT). */
  readonly neighbours?: boolean | undefined
  /** A token whose vector is one of its own, `embed.replaced`, which is not multiplied. */
  readonly replaced?: number | undefined
  /**
   * From the table's width to the model's: after the norm (ALBERT, ELECTRA), right before it (DeBERTa-v2) or before
   * positions are added (OPT).
   */
  readonly project:
    | {
        readonly place: 'after-norm' | 'before-norm' | 'before-positions'
        readonly bias: boolean
        /** Rows that stand after the token's own columns, before positions (RoCBERT). */
        readonly joined?: readonly FixedRow[]
      }
    | undefined
}

/** Parts, each a sum of rows, as they are or through W₂ relu(W₁ x + b) with `inner` columns between. */
export interface AssembledRow {
  readonly parts: readonly (readonly FixedRow[])[]
  readonly inner?: number | undefined
}

/** Row `row`, 0 unless said, of a table [rows × width], the embedding's width unless said; `times` where it is added again. */
export interface FixedRow {
  readonly slot: Slot
  readonly j?: number
  readonly rows: number
  readonly width?: number
  readonly times?: number
  readonly row?: number
}
