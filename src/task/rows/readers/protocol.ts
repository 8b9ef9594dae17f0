/** What a protocol adds to reading a task: its fields, and one (split, subset) from rows. */
import type { DefaultRng, PythonRandom, RandomState } from '#platform/random'
import type { OnProgress } from '#core'
import type { Profile } from '../profiles.ts'
import type { Dataset, OpenDataset, Rows } from '../dataset.ts'
import type { PartOf, TextGroup } from '../loaded-task.ts'
import type { TaskInfo } from '../task.ts'

/** One (split, subset) that is to be read. */
export interface Scope {
  readonly task: TaskInfo
  readonly dataset: Dataset
  readonly part: PartOf
  readonly profile: Profile
  /** For other repositories than the task's. */
  readonly open: OpenDataset
  /** Where a corpus that does not fit in memory is laid down; default: the system's temporary folder. */
  readonly scratch?: string | undefined
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: OnProgress | undefined
  /**
   * mteb's generators of a task, seeded with 42 once and drawn from part after part; `legacy` is the global one of 1.x.
   */
  readonly draws: { readonly python: PythonRandom; readonly numpy: DefaultRng; readonly legacy: RandomState }
  /** The task's columns of these splits in this subset, after its steps. Splits read before are not read again. */
  rows(splits: readonly string[], options?: ReadOptions): Promise<ReadonlyMap<string, Rows>>
}

export interface ReadOptions {
  /** Columns to read, for tasks whose columns differ between subsets; default: the task's. */
  readonly columns?: readonly string[] | undefined
  /** Columns to read where there are such, null elsewhere. */
  readonly optional?: readonly string[] | undefined
  /** Columns that hold numbers in separated-value files. */
  readonly numeric?: readonly string[] | undefined
}

export interface ProtocolReader<Part extends PartOf> {
  /** Field of the task → column of its rows. */
  columns(params: Readonly<Record<string, unknown>>): Readonly<Record<string, string>>
  /**
   * Whether parts are drawn from generators that run on from one part to the next: such parts are read in mteb's order,
   * split by split, and a score belongs to the selection of subsets it was made in.
   */
  readonly running?: boolean
  /** Throws what makes the part a missing one. */
  read(scope: Scope): Promise<Part>
  /** Rows that count. */
  counts(part: Part): Readonly<Record<string, number>>
  /** Every text that an evaluation of the part will ask for, with repetitions. */
  texts(part: Part): readonly TextGroup[]
  /**
   * The questions: pairs, test texts, queries; `undefined` where they cannot be separated from the texts they are
   * about.
   */
  readonly asked?: SidesOfPart<Part> | undefined
  /** Frees what the part holds on disk. */
  close?(part: Part): void
}

/** Rows of a part that can be left out without changing what the others are asked about. */
export interface SidesOfPart<Part extends PartOf> {
  count(part: Part): number
  only(part: Part, rows: readonly number[]): Part
}

/** The rows of the one split that a part is about. */
export async function readOwnRows(scope: Scope, options?: ReadOptions): Promise<Rows> {
  const { split } = scope.part
  return rowsOf(await scope.rows([split], options), split)
}

export function rowsOf(read: ReadonlyMap<string, Rows>, split: string): Rows {
  const rows = read.get(split)
  if (rows === undefined) throw new Error(`split ${split} was not read`)
  return rows
}
