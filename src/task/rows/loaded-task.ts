/** A task with its rows: what an evaluation reads. */
import type { FaultCode, PromptType } from '#core'
import type { PythonRandom } from '#platform/random'
import type { Profile } from './profiles.ts'
import type { Protocol, TaskInfo } from './task.ts'
import type { Texts } from './text-list.ts'
import type { Label } from './values.ts'

/** One (split, subset). */
export interface PartOf {
  readonly split: string
  readonly subset: string
  readonly languages: readonly string[]
  /** What its rows say twice, or of something that is not there: the scores do not show it. */
  readonly notices?: readonly string[] | undefined
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
  /** Rows of `test` that each experiment is asked about; default: all. */
  readonly tested?: readonly (readonly number[])[]
}

/** Pairs of texts, labelled 1 if they belong together, otherwise 0. */
export interface PairPart extends PartOf {
  readonly sentence1: readonly string[]
  readonly sentence2: readonly string[]
  readonly labels: readonly number[]
  /** Sides of tasks whose pairs are asymmetric. */
  readonly promptType1?: PromptType | undefined
  readonly promptType2?: PromptType | undefined
}

/** Texts whose label a classifier's own head is to name. */
export interface LabelledPart extends PartOf {
  readonly texts: readonly string[]
  readonly labels: readonly string[]
  /** Every label of the task, in the order of the data set's numbers: what `LABEL_n` of a head without names means. */
  readonly names: readonly string[]
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

/**
 * The documents that are drawn, with their labels from the coarsest level on; a flat labelling has one level, and a
 * document may lack the deeper ones.
 */
export interface ClusteringPart extends PartOf {
  readonly texts: readonly string[]
  readonly labels: readonly (readonly Label[])[]
  /** Levels that are scored. */
  readonly levels: number
  /**
   * The generator as it is after the documents were drawn: samples of them are drawn next, level by level. Every call
   * begins anew.
   */
  readonly generator: () => PythonRandom
}

/** Sets that are clustered one by one. */
export interface ClusterSetsPart extends PartOf {
  readonly sets: readonly Labelled[]
}

/** Sentences of two languages. */
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

/** Anchors, each with a text that means the same and at least one that does not. */
export interface ContrastPart extends PartOf {
  readonly anchors: readonly string[]
  readonly positives: readonly string[]
  readonly negatives: readonly (readonly string[])[]
  /** Topic of every anchor and its positive; undefined where the list has none. */
  readonly topics?: readonly string[] | undefined
}

export interface Passages {
  readonly ids: readonly string[]
  readonly texts: readonly string[]
}

/** Passages of which there may be more than fit in memory: then the texts lie on disk. */
export interface Corpus {
  readonly ids: readonly string[]
  readonly texts: Texts
}

export interface RetrievalPart extends PartOf {
  readonly corpus: Corpus
  /** Only queries that somebody judged. */
  readonly queries: Passages
  /** Query → document → grade. */
  readonly qrels: ReadonlyMap<string, ReadonlyMap<string, number>>
  /** Query → the only documents it is asked about; undefined for a search over the whole corpus. */
  readonly candidates?: ReadonlyMap<string, readonly string[]>
  /**
   * Query → documents that are not among its candidates, where these are all others: then the corpus is searched
   * without them.
   */
  readonly excluded?: ReadonlyMap<string, ReadonlySet<string>>
  /** Query without `-og` or `-changed` → documents whose relevance the changed instruction changes. */
  readonly changed?: ReadonlyMap<string, readonly string[]>
}

/** A (split, subset) that belongs to the task and could not be read. */
export interface MissingPart extends PartOf {
  readonly code: FaultCode
  readonly reason: string
}

/** Texts to be encoded alike. */
export interface TextGroup {
  readonly texts: Texts
  readonly promptType?: PromptType | undefined
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
  SequenceClassification: LabelledPart
  Contrast: ContrastPart
}

export type LoadedParts = {
  [Name in Protocol]: { readonly protocol: Name; readonly parts: readonly PartOfProtocol[Name][] }
}[Protocol]

export type LoadedTask = LoadedParts & {
  readonly task: TaskInfo
  /** Whose protocol the rows were read by, and are scored by. */
  readonly profile: Profile
  readonly dataRevision: string
  /** Never empty together with `parts`: a task without any part is a fault. */
  readonly missing: readonly MissingPart[]
  /** Splits that were named for several tasks, and that this one does not have. */
  readonly lacks?: readonly string[] | undefined
  /** Rows that count: pairs, train and test texts, queries, documents. */
  readonly counts: Readonly<Record<string, number>>
  /** Every text an evaluation will ask for, of one of `parts` or of all of them, with repetitions. */
  texts(part?: PartOf): TextGroup[]
  /** Frees what the rows hold on disk. */
  close(): void
}
