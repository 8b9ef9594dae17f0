/** A task with its rows: what an evaluation reads. */
import type { FaultCode, PromptType } from '../core/index.ts'
import type { TaskInfo } from './task.ts'
import type { Label } from './values.ts'

/** One (split, subset). */
export interface PartOf {
  readonly split: string
  readonly subset: string
  readonly languages: readonly string[]
}

/** Pairs of texts with a gold similarity; all three lists are equally long. */
export interface StsPart extends PartOf {
  readonly sentence1: readonly string[]
  readonly sentence2: readonly string[]
  readonly score: readonly number[]
}

export interface Labelled {
  readonly texts: readonly string[]
  readonly labels: readonly Label[]
}

export interface ClassificationPart extends PartOf {
  readonly train: Labelled
  readonly test: Labelled
  /** Rows of `train` in each experiment, in training order. */
  readonly experiments: readonly (readonly number[])[]
}

export interface Passages {
  readonly ids: readonly string[]
  readonly texts: readonly string[]
}

export interface RetrievalPart extends PartOf {
  readonly corpus: Passages
  /** Only queries that somebody judged. */
  readonly queries: Passages
  /** Query → document → grade. */
  readonly qrels: ReadonlyMap<string, ReadonlyMap<string, number>>
  /** Query → the only documents it is asked about; undefined for a search over the whole corpus. */
  readonly candidates?: ReadonlyMap<string, readonly string[]>
}

/** A (split, subset) that belongs to the task and could not be read. */
export interface MissingPart extends PartOf {
  readonly code: FaultCode
  readonly reason: string
}

/** Texts to be encoded alike. */
export interface TextGroup {
  readonly texts: readonly string[]
  readonly promptType?: PromptType
}

export type LoadedParts =
  | { readonly type: 'STS'; readonly parts: readonly StsPart[] }
  | { readonly type: 'Classification'; readonly parts: readonly ClassificationPart[] }
  | { readonly type: 'Retrieval'; readonly parts: readonly RetrievalPart[] }

export type LoadedTask = LoadedParts & {
  readonly task: TaskInfo
  readonly dataRevision: string
  /** Never empty together with `parts`: a task without any part is a fault. */
  readonly missing: readonly MissingPart[]
  /** Rows that count: pairs, train and test texts, queries, documents. */
  readonly counts: Readonly<Record<string, number>>
  /** Every text an evaluation will ask for, with repetitions. */
  texts(): TextGroup[]
}
