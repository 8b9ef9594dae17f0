/** A task with its rows: what an evaluation reads. */
import type { FaultCode, PromptType } from '../core/index.ts'
import type { Protocol, TaskInfo } from './task.ts'
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

/** Pairs of texts, 1 for those that belong together, else 0. */
export interface PairPart extends PartOf {
  readonly sentence1: readonly string[]
  readonly sentence2: readonly string[]
  readonly labels: readonly number[]
}

/** Texts with any number of labels each. */
export interface MultiLabelled {
  readonly texts: readonly string[]
  readonly labels: readonly (readonly Label[])[]
}

export interface MultilabelPart extends PartOf {
  readonly train: MultiLabelled
  readonly test: MultiLabelled
  /** Rows of `train` in each experiment, in training order. */
  readonly experiments: readonly (readonly number[])[]
}

/** Texts with a number each. */
export interface Valued {
  readonly texts: readonly string[]
  readonly values: readonly number[]
}

export interface RegressionPart extends PartOf {
  readonly train: Valued
  readonly test: Valued
  /** Rows of `train` in each experiment, in training order. */
  readonly experiments: readonly (readonly number[])[]
}

/** Documents with their label at every level of a hierarchy, the coarsest first; a flat labelling has one level. */
export interface ClusteringPart extends PartOf {
  readonly texts: readonly string[]
  readonly labels: readonly (readonly Label[])[]
}

/** Sets that are clustered one by one. */
export interface ClusterSetsPart extends PartOf {
  readonly sets: readonly Labelled[]
}

/** Sentences of two languages; sentence i of the second belongs to sentence `gold[i]` of the first, or the other way about, as the task says. */
export interface BitextPart extends PartOf {
  readonly sentence1: readonly string[]
  readonly sentence2: readonly string[]
  /** Row of `sentence2` that translates each row of `sentence1`. */
  readonly gold: readonly number[]
}

/** Per source text: summaries by people, summaries by machines, and how relevant people found each of the latter. */
export interface SummarizationPart extends PartOf {
  readonly texts: readonly string[]
  readonly human: readonly (readonly string[])[]
  readonly machine: readonly (readonly string[])[]
  readonly relevance: readonly (readonly number[])[]
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

/** What a part holds, by protocol. */
export interface PartOfProtocol {
  AbsTaskSTS: StsPart
  AbsTaskPairClassification: PairPart
  AbsTaskClassification: ClassificationPart
  AbsTaskMultilabelClassification: MultilabelPart
  AbsTaskRegression: RegressionPart
  AbsTaskClustering: ClusteringPart
  AbsTaskClusteringLegacy: ClusterSetsPart
  AbsTaskRetrieval: RetrievalPart
  AbsTaskBitextMining: BitextPart
  AbsTaskSummarization: SummarizationPart
}

export type LoadedParts = { [Name in Protocol]: { readonly protocol: Name; readonly parts: readonly PartOfProtocol[Name][] } }[Protocol]

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
