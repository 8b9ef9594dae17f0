/**
 * What each type of task is for users' files: its protocols, the score that counts unless they say otherwise, the
 * options it takes.
 */
import type { Protocol, TaskParams, TaskType } from '#task/rows'

type OwnType = Exclude<TaskType, 'Any2AnyRetrieval'>

interface OwnKind {
  /** The first is meant unless the file names another. */
  readonly protocols: readonly [Protocol, ...Protocol[]]
  readonly mainScore: string
}

/** Main scores are those that most of the reference's tasks of the type have. */
export const ownKinds: { readonly [Name in OwnType]: OwnKind } = {
  STS: { protocols: ['AbsTaskSTS'], mainScore: 'cosine_spearman' },
  PairClassification: { protocols: ['AbsTaskPairClassification'], mainScore: 'max_ap' },
  Classification: { protocols: ['AbsTaskClassification'], mainScore: 'accuracy' },
  MultilabelClassification: { protocols: ['AbsTaskMultilabelClassification'], mainScore: 'accuracy' },
  Regression: { protocols: ['AbsTaskRegression'], mainScore: 'kendalltau' },
  Clustering: { protocols: ['AbsTaskClustering', 'AbsTaskClusteringLegacy'], mainScore: 'v_measure' },
  Retrieval: { protocols: ['AbsTaskRetrieval'], mainScore: 'ndcg_at_10' },
  Reranking: { protocols: ['AbsTaskRetrieval'], mainScore: 'map_at_1000' },
  InstructionRetrieval: { protocols: ['AbsTaskRetrieval'], mainScore: 'ndcg_at_20' },
  InstructionReranking: { protocols: ['AbsTaskRetrieval'], mainScore: 'ndcg_at_10' },
  BitextMining: { protocols: ['AbsTaskBitextMining'], mainScore: 'f1' },
  Summarization: { protocols: ['AbsTaskSummarization'], mainScore: 'cosine_spearman' },
  SequenceClassification: { protocols: ['SequenceClassification'], mainScore: 'accuracy' },
  Contrast: { protocols: ['Contrast'], mainScore: 'auc_centered' },
}

export const ownTypes = Object.keys(ownKinds) as OwnType[]

type Option = {
  readonly [Name in keyof TaskParams]?: 'count' | 'limit' | 'flag' | 'number' | 'word' | 'counts' | 'side'
}

/**
 * Options of a protocol, under the reference's names, and what kind of value each takes (`limit`: a count, or null for
 * none).
 */
export const ownOptions: { readonly [Name in Protocol]: Option } = {
  AbsTaskSTS: { min_score: 'number', max_score: 'number' },
  AbsTaskPairClassification: { input1_prompt_type: 'side', input2_prompt_type: 'side' },
  AbsTaskClassification: { train_split: 'word', samples_per_label: 'count', n_experiments: 'count' },
  AbsTaskMultilabelClassification: {
    train_split: 'word',
    samples_per_label: 'count',
    n_experiments: 'count',
    max_eval_samples: 'limit',
  },
  AbsTaskRegression: { train_split: 'word', n_samples: 'count', n_experiments: 'count' },
  AbsTaskClustering: {
    max_fraction_of_documents_to_embed: 'number',
    max_document_to_embed: 'limit',
    max_documents_per_cluster: 'count',
    n_clusters: 'count',
    k_mean_batch_size: 'count',
    max_depth: 'limit',
  },
  AbsTaskClusteringLegacy: {},
  AbsTaskRetrieval: { k_values: 'counts', ignore_identical_ids: 'flag', skip_first_result: 'flag' },
  AbsTaskBitextMining: { parallel_subsets: 'flag' },
  AbsTaskSummarization: { min_score: 'number', max_score: 'number' },
  SequenceClassification: {},
  Contrast: {},
}

/**
 * Tables of a retrieval task in users' files, with their columns and what the reference's loader calls them. `id` of a
 * passage has two names there.
 */
export const retrievalTables = {
  corpus: { id: ['_id', 'id'], title: ['title'], text: ['text'] },
  queries: { id: ['_id', 'id'], text: ['text'] },
  qrels: { 'query-id': ['query-id'], 'corpus-id': ['corpus-id'], score: ['score'] },
  top_ranked: { 'query-id': ['query-id'], 'corpus-ids': ['corpus-ids'] },
  instruction: { 'query-id': ['query-id'], instruction: ['instruction'] },
} as const satisfies Record<string, Record<string, readonly string[]>>

export type RetrievalTable = keyof typeof retrievalTables
