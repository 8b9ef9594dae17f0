/** What a task is: a row of the registry, with every default filled in. */
import type { PromptType } from '#core'
import type { TaskStep } from './steps/table.ts'
import type { RetrievalTables } from './tables/tables.ts'

/** mteb's types of task, as results and prompts name them. */
export const taskTypes = [
  'STS',
  'PairClassification',
  'Classification',
  'MultilabelClassification',
  'Regression',
  'Clustering',
  'Retrieval',
  'Reranking',
  'InstructionRetrieval',
  'InstructionReranking',
  'BitextMining',
  'Summarization',
  'Any2AnyRetrieval',
  'SequenceClassification',
  'Contrast',
] as const
export type TaskType = (typeof taskTypes)[number]

/** mteb's classes behind the types, and ours: how rows are read and how answers are scored. */
export const protocols = [
  'AbsTaskSTS',
  'AbsTaskPairClassification',
  'AbsTaskClassification',
  'AbsTaskMultilabelClassification',
  'AbsTaskRegression',
  'AbsTaskClustering',
  'AbsTaskClusteringLegacy',
  'AbsTaskRetrieval',
  'AbsTaskBitextMining',
  'AbsTaskSummarization',
  'SequenceClassification',
  'Contrast',
] as const
export type Protocol = (typeof protocols)[number]

/** Scores that single retrieval tasks add to the common ones; evaluate has a file for each. */
export type SpecificScores =
  | 'p_mrr'
  | 'max_over_subqueries'
  | 'paired_accuracy'
  | 'robustness_at_10'
  | 'level_scores'
  | 'capped_recall'

export interface DatasetRef {
  readonly path: string
  readonly revision: string
}

/** mteb's class attributes, under its names. */
export interface TaskParams {
  readonly samples_per_label: number
  readonly n_experiments: number
  readonly train_split: string
  readonly is_cross_validation: boolean
  /** Folds of a cross-validation. */
  readonly n_splits: number
  /** Rows a regression trains on. */
  readonly n_samples: number
  /** Rows of a multilabel split that are scored; null: all. */
  readonly max_eval_samples: number | null
  readonly fast_loading: boolean
  readonly parallel_subsets: boolean
  readonly ignore_identical_ids: boolean
  readonly skip_first_result: boolean
  readonly k_values: readonly number[]
  readonly min_score: number
  readonly max_score: number
  readonly input1_prompt_type: PromptType | null
  readonly input2_prompt_type: PromptType | null
  readonly max_fraction_of_documents_to_embed: number | null
  readonly max_document_to_embed: number | null
  readonly max_documents_per_cluster: number
  readonly n_clusters: number
  readonly k_mean_batch_size: number
  readonly max_depth: number | null
  /** What mteb's task adds with a `task_specific_scores` of its own. */
  readonly specificScores: SpecificScores | null
  /** Name of mteb's evaluator where a protocol has several. */
  readonly evaluator: string | null
}

export interface TaskInfo {
  readonly name: string
  readonly type: TaskType
  /** `AbsTaskAggregate` has no rows: its score is the mean over `members`. */
  readonly protocol: Protocol | 'AbsTaskAggregate'
  readonly dataset: DatasetRef & { readonly config?: string | undefined }
  /** Path under the package's assets, for rows that the package itself carries. */
  readonly carried?: string
  /** Where older versions of mteb read the same data. */
  readonly aliases: readonly DatasetRef[]
  readonly splits: readonly string[]
  /** Subset → languages (`eng-Latn`); a task in one piece has the subset `default`. */
  readonly subsets: Readonly<Record<string, readonly string[]>>
  /** Field of the task → column of its rows. */
  readonly columns: Readonly<Record<string, string>>
  readonly mainScore: string
  /** Protocol of a plug-in in place of the task's own, as keys name it: `name@sha256`. */
  readonly scorer?: string
  readonly params: TaskParams
  readonly prompt?:
    | string
    | { readonly query?: string; readonly document?: string; readonly passage?: string }
    | undefined
  readonly domains: readonly string[]
  readonly licence: string
  readonly steps: readonly TaskStep[]
  /** Where a retrieval task finds its tables, when they are not where mteb's loader looks. */
  readonly tables?: RetrievalTables
  /** Why it cannot be run although its type can; undefined for tasks that can. */
  readonly unsupported?: string | undefined
  readonly members?: readonly string[]
  /** Names of the data set's numbered labels. */
  readonly labels?: readonly string[]
  readonly supersededBy?: string
}

/** The part of one task that a benchmark selects; anything not named is taken in full. */
export interface TaskSelection {
  readonly splits?: readonly string[] | undefined
  readonly subsets?: readonly string[] | undefined
}
