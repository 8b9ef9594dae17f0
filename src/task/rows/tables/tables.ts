/**
 * Where a retrieval task finds its tables: what the registry says of tasks whose data set is not laid out as the
 * reference's loader expects.
 */
import type { TaskStep } from '../steps/table.ts'

/**
 * Rows, from the task's data set or made of others. In every text `{subset}` and `{split}` stand for the selected ones,
 * `{subset.0}` for the first of the subset's parts between hyphens, `{split.1}` for the second of the split's between
 * underscores; `{ whichSubset: {…} }` and `{ whichSplit: {…} }` in the place of a text choose one by name, `*` for any
 * other.
 */
export interface RowSource {
  /** Another repository than the task's, at its main revision. */
  readonly repo?: string
  /** Default: the one the task names, otherwise the data set's standard one. */
  readonly config?: string
  /**
   * A folder of the repository whose file names show the splits, or a single file, in place of a config; where they are
   * missing, `config` is read.
   */
  readonly folder?: string
  readonly file?: string
  /** Default: the one asked for; or the only one there is, when `anySplit`. */
  readonly split?: string
  readonly anySplit?: boolean
  /** Rows by their name in `rows`, in the place of the data set's. */
  readonly of?: string
  readonly join?: Join
  /** After the join. */
  readonly steps?: readonly TaskStep[]
}

/**
 * Columns of other rows, joined to the rows that agree with them in a value; the last where several agree, a
 * `task.value` fault where none does.
 */
export interface Join {
  readonly with: string
  /** Column here. */
  readonly on: string
  /** Column there; default the same. */
  readonly equals?: string
  /** Column there → column here. */
  readonly take: Readonly<Record<string, string>>
}

/** Texts with ids. The last of the rows with the same id counts, at the place of the first. */
export interface PassageTable extends RowSource {
  /** Default: `_id`, otherwise `id`. */
  readonly id?: string
  /** Default `text`. */
  readonly text?: string
  readonly title?: string
  /** A title that may be missing. */
  readonly titleIfAny?: string
  /** Column of instructions that queries bring along, for tasks without a table of them. It may be missing. */
  readonly instructionIfAny?: string
  /** Rows with the same id stay side by side. */
  readonly keepRepeats?: boolean
}

/** Judgements; the last of several about the same pair counts. */
export interface JudgementTable extends RowSource {
  /** Default `query-id`. */
  readonly query?: string
  /** Default `corpus-id`. */
  readonly document?: string
  /** A column, the same for all, or by the text of a column. Default the column `score`. */
  readonly grade?:
    | string
    | number
    | { readonly column: string; readonly grades: Readonly<Record<string, number>>; readonly other: number }
}

export interface InstructionTable extends RowSource {
  readonly query?: string
  readonly instruction?: string
}

/**
 * Documents of a query: a list of them, the last if there are several; or one per row; or all of the corpus except a
 * list.
 */
export interface DocumentTable extends RowSource {
  /** Default `query-id`. */
  readonly query?: string
  /** Column of lists; default `corpus-ids`. */
  readonly documents?: string
  /** Column of single documents. */
  readonly document?: string
  /**
   * Column of lists, which may be missing. If no query leaves out any – its list is missing, empty or `none` –, all are
   * asked about the whole corpus.
   */
  readonly allBut?: { readonly column: string; readonly none: readonly string[] }
}

/** Tables that are left out lie where the reference's loader looks for them; false: the task does without. */
export interface RetrievalTables {
  /** Rows that tables and other rows are made of, in the order they are made. */
  readonly rows?: Readonly<Record<string, RowSource>>
  readonly corpus?: PassageTable
  readonly queries?: PassageTable
  readonly qrels?: JudgementTable
  readonly instructions?: InstructionTable | false
  readonly candidates?: DocumentTable | false
  /** Documents whose relevance a changed instruction changes. */
  readonly changed?: DocumentTable
}
