/** What an evaluator of one task type gets and gives. */
import {
  type AskOptions,
  fault,
  type Matrix,
  type OnProgress,
  type PromptType,
  type Reranker,
  type Searcher,
  type Similarity,
} from '#core'
import type { Profile, PartOf, TaskInfo } from '#task/rows'
import type { KMeansProfile } from '#platform/linalg'
import type { Checkpoints } from './checkpoints.ts'

/** A classifier's own head, asked on the run's behalf. */
export interface Head {
  readonly labels: readonly string[]
  readonly logits: (texts: readonly string[]) => Promise<Matrix>
}

/** A reranker, and how many documents of a search it is given; without, it scores the task's own candidates. */
export interface Reranking {
  readonly reranker: Reranker
  readonly top?: number | undefined
}

/** A search among the first documents of another one. */
export interface SecondSearch {
  readonly top: number
  /** No reranker of the first search comes after it. */
  readonly by: Pick<Context, 'similarity' | 'embed' | 'isBits' | 'rescore' | 'searcher' | 'reranking'>
}

export interface Context {
  readonly profile: Profile
  readonly similarity: Similarity
  /** Whose draws the clustering protocols follow. */
  readonly kmeans: KMeansProfile
  readonly task: TaskInfo
  readonly signal: AbortSignal | undefined
  /** A listener of the call's own replaces the run's. */
  readonly embed: (texts: readonly string[], promptType?: PromptType, onProgress?: OnProgress) => Promise<Matrix>
  /** Every number of a vector is 0 or 1. */
  readonly isBits?: boolean | undefined
  /** Queries once more, and how many documents of each they put in order. */
  readonly rescore?:
    | { readonly candidates: number; readonly embed: (texts: readonly string[]) => Promise<Matrix> }
    | undefined
  /** Searches in the embedder's place. */
  readonly searcher?: Searcher | undefined
  /** Puts the first documents of a search in order, or a query's candidates where there is no search. */
  readonly reranking?: Reranking | undefined
  readonly second?: SecondSearch | undefined
  /** How whoever is asked in the run's name is called. */
  readonly asking?: AskOptions | undefined
  readonly onProgress?: OnProgress | undefined
  readonly checkpoints?: Checkpoints | undefined
  /** A classifier's outputs: [texts × labels]. */
  readonly head?: Head | undefined
}

/** Columns of equal length, one entry per item. */
export type ItemColumns = Readonly<Record<string, ArrayLike<number> | readonly string[]>>

export interface PartScores {
  /** Names and order as mteb writes them; null for an undefined value. */
  readonly metrics: Readonly<Record<string, unknown>>
  readonly columns: ItemColumns
}

/**
 * One task's scorer; what a protocol carries from one part to the next (a generator's state) lives between the two
 * calls.
 */
export type Scorer<Part extends PartOf> = (context: Context) => (part: Part) => Promise<PartScores>

/**
 * Embeds texts and refuses vectors with a NaN or infinity in them, naming the text (`task.value`), or of another number
 * (`internal`).
 */
export async function embedFinite(
  { embed, task }: Context,
  texts: readonly string[],
  promptType?: PromptType,
  onProgress?: OnProgress,
): Promise<Matrix> {
  return finite(await embed(texts, promptType, onProgress), texts, task)
}

/** One row per text, every number finite; throws as `embedFinite`. */
export function finite(vectors: Matrix, texts: readonly string[], task: TaskInfo): Matrix {
  const bad = firstNotFinite(fitting(vectors, texts, task).data)
  if (bad >= 0)
    throw fault('task.value', {
      place: task.name,
      what: 'the vector of a text is not finite',
      seen: (texts[Math.floor(bad / vectors.width)] ?? '').slice(0, 80),
    })
  return vectors
}

/** One row per text; throws `internal` for another number. */
export function fitting(vectors: Matrix, texts: readonly string[], task: TaskInfo): Matrix {
  if (vectors.rows !== texts.length)
    throw fault('internal', {
      place: task.name,
      what: 'vectors do not fit the texts',
      seen: vectors.rows,
      wanted: texts.length,
    })
  return vectors
}

function firstNotFinite(values: Float32Array): number {
  // A finite number minus itself is 0, any other NaN, which stays: one look at the sums settles nearly every call. Four
  // of them, since one would have each addition wait for the last.
  let [a, b, c, d] = [0, 0, 0, 0]
  const whole = values.length - (values.length % 4)
  for (let i = 0; i < whole; i += 4) {
    a += values[i]! - values[i]!
    b += values[i + 1]! - values[i + 1]!
    c += values[i + 2]! - values[i + 2]!
    d += values[i + 3]! - values[i + 3]!
  }
  for (let i = whole; i < values.length; i++) a += values[i]! - values[i]!
  return a + b + c + d === 0 ? -1 : values.findIndex((value) => !Number.isFinite(value))
}
