/** What can be asked of a distillation, and its defaults. */
import { fault, type OnProgress } from '#core'
import type { TableDims, TableDtype } from '#model/distill'
import type { Representation } from '#representation/layers'

/** Names of model2vec: `first` is `cls`, `last` is `lasttoken`. */
export type TokenPooling = 'mean' | 'last' | 'first' | 'pooler'

export interface DistilOptions {
  /** Default: the last hidden state. */
  representation?: Representation | undefined
  /** Default mean, over all tokens of the row, special ones included. */
  pooling?: TokenPooling | undefined
  /** Default 256, or as many as there are. */
  dims?: TableDims | undefined
  /** Default 1e-4; `none`: no weights. */
  sif?: number | 'none' | undefined
  dtype?: TableDtype | undefined
  /** Number of rows that tokens share by k-means; default: each token has its own. */
  clusters?: number | undefined
  /** Tokens that it matches from their first character are left out; default `[unused…]`. */
  remove?: RegExp | 'none' | undefined
  words?: readonly string[] | undefined
  /** Stands before every token, is read, and is left out of the pooling. */
  instruction?: string | undefined
  overwrite?: boolean | undefined
  signal?: AbortSignal | undefined
  onProgress?: OnProgress | undefined
}

/** Options with their defaults. */
export interface DistilSettings {
  readonly representation: Representation
  readonly pooling: TokenPooling
  readonly dims: TableDims
  readonly isAsked: boolean
  readonly sif: number | undefined
  readonly dtype: TableDtype
  readonly clusters: number | undefined
  readonly remove: RegExp | 'none'
  readonly words: readonly string[]
  readonly instruction: string
}

/** Throws `usage.value`. */
export function readDistilSettings({
  representation = { kind: 'default' },
  pooling = 'mean',
  dims,
  sif = 1e-4,
  dtype = 'float16',
  clusters,
  remove = /\[unused\d+\]/,
  words = [],
  instruction = '',
}: DistilOptions): DistilSettings {
  if (sif !== 'none' && !(sif > 0 && sif < 1))
    throw fault('usage.value', {
      place: '--sif',
      what: 'must be above 0 and below 1',
      seen: sif,
      wanted: '1e-4, or none',
    })
  return {
    representation,
    pooling,
    dims: dims ?? 256,
    isAsked: dims !== undefined,
    sif: sif === 'none' ? undefined : sif,
    dtype,
    clusters,
    remove,
    words,
    instruction,
  }
}
