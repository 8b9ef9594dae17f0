/** What a task is: a row of the registry, with every default filled in. */

/** Types whose tasks can be run. */
export const taskTypes = ['STS', 'Classification', 'Retrieval'] as const
export type TaskType = (typeof taskTypes)[number]

/** A change to the rows between data set and task, in order. `rename` reads nested fields by dotted names. */
export type TaskStep =
  | { readonly rename: Readonly<Record<string, string>> }
  /** A stratified sample of each named split that has more rows; seed 42. */
  | { readonly subsample: { readonly splits: readonly string[]; readonly rows: number; readonly label?: string } }
  /** Labels to their rank among the split's labels as text. */
  | { readonly encode: string }
  | { readonly relabel: Readonly<Record<string, number>> }
  /** Numbers that are stored as text. */
  | { readonly number: string }
  /** Split asked for → split read. */
  | { readonly split: Readonly<Record<string, string>> }

export interface DatasetRef {
  readonly path: string
  readonly revision: string
}

export interface TaskParams {
  readonly samples_per_label: number
  readonly n_experiments: number
  readonly train_split: string
  readonly is_cross_validation: boolean
  readonly fast_loading: boolean
  readonly ignore_identical_ids: boolean
  readonly skip_first_result: boolean
  readonly k_values: readonly number[]
  readonly min_score: number
  readonly max_score: number
}

export interface TaskInfo {
  readonly name: string
  readonly type: TaskType
  /** mteb's class behind it. */
  readonly protocol: string
  readonly dataset: DatasetRef & { readonly config?: string }
  /** Where older versions of mteb read the same data. */
  readonly aliases: readonly DatasetRef[]
  readonly splits: readonly string[]
  /** Subset → languages (`eng-Latn`); a task in one piece has the subset `default`. */
  readonly subsets: Readonly<Record<string, readonly string[]>>
  /** Field of the task → column of its rows. */
  readonly columns: Readonly<Record<string, string>>
  readonly mainScore: string
  readonly params: TaskParams
  readonly prompt?: string | { readonly query?: string; readonly document?: string; readonly passage?: string }
  readonly domains: readonly string[]
  readonly licence: string
  readonly steps: readonly TaskStep[]
  /** Why it cannot be run although its type can; undefined for tasks that can. */
  readonly unsupported?: string
  readonly members?: readonly string[]
  readonly supersededBy?: string
}
