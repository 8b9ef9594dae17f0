/** What can be asked of a distillation, and its defaults. */
import { fault, type OnProgress } from '#core'
import type { TableDims, TableDtype } from '#model/distill'
import type { Representation } from '#representation/layers'

/** Tokens of a text that model2vec reads at most; a folder may say otherwise. */
export const maxLength = 512

export interface DistilTexts {
  /** As the record of the table calls them. */
  readonly name: string
  readonly texts: readonly string[]
}

/** Names of model2vec: `first` is `cls`, `last` is `lasttoken`. */
export type TokenPooling = 'mean' | 'last' | 'first' | 'pooler'

/**
 * Uses of a corpus: weights by the frequencies of its tokens, rows fitted to the teacher's vectors of its texts,
 * or both; `auto`: each where the table gains by it.
 */
export type CorpusSteps = 'auto' | 'weights' | 'fit' | 'both'

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
  corpus?: DistilTexts | undefined
  /** Default `auto`. */
  corpusSteps?: CorpusSteps | undefined
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
  readonly corpus: DistilTexts | undefined
  readonly corpusSteps: CorpusSteps
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
  corpus,
  corpusSteps,
  instruction = '',
}: DistilOptions): DistilSettings {
  if (sif !== 'none' && !(sif > 0 && sif < 1))
    throw fault('usage.value', {
      place: '--sif',
      what: 'must be above 0 and below 1',
      seen: sif,
      wanted: '1e-4, or none',
    })
  if (corpus === undefined && corpusSteps !== undefined)
    throw fault('usage.conflict', {
      place: '--corpus-steps',
      what: 'nothing to be done without a corpus',
      hint: 'give the texts: --corpus FILE',
    })
  if (sif === 'none' && (corpusSteps === 'weights' || corpusSteps === 'both'))
    throw fault('usage.conflict', {
      place: '--corpus-steps',
      what: 'weights by frequency need a coefficient',
      seen: `${corpusSteps}, with --sif none`,
      hint: 'leave out --sif none, or ask for --corpus-steps fit',
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
    corpus,
    corpusSteps: corpusSteps ?? 'auto',
    instruction,
  }
}
