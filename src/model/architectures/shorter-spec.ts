/** Blocks on fewer rows than the text has tokens, resolved. */
import type { Activation } from './activation.ts'

/** After state `after` rows are joined, blocks run, and the next state has a row for every token again. */
export type ShorterSpec = PooledRows | ConvolvedRows

/**
 * Rounds of pooling two rows into one, each before blocks of its own (Funnel: Dai et al. 2020). Rows too few to pool, one,
 * or two where the first stands apart, stay as they are.
 */
export interface PooledRows {
  readonly kind: 'pooled'
  readonly after: number
  readonly rounds: number
  readonly pool: 'mean' | 'max'
  /** The first row is pooled with itself. */
  readonly firstApart: boolean
  /** The last row is left out of every round, so that rows stay a power of two. */
  readonly lastDropped: boolean
  /** The first block after a round reads keys and values from the rows before it. */
  readonly queriesOnly: boolean
  /**
   * The state that repeated rows are added to; undefined where the model ends inside, and its last state is shorter
   * than the text.
   */
  readonly joins: number | undefined
}

/**
 * A convolution that makes one row of `rate` tokens, the first token in front and the last row dropped; at the end a
 * convolution over `kernel` tokens, each next to the row it belongs to (CANINE: Clark et al. 2022).
 */
export interface ConvolvedRows {
  readonly kind: 'convolved'
  readonly after: number
  readonly rate: number
  readonly kernel: number
  readonly activation: Activation
}
