/** What one kind of step is: a change to the rows between data set and task. */
import { fault } from '#core'
import type { Rows } from '../dataset.ts'

/** Split → rows, of one subset. */
export type Splits = ReadonlyMap<string, Rows>

/** The part that is read. */
export interface StepScope {
  readonly subset: string
}

export interface ConfigPart {
  readonly config: string
  /** Old name → new name of its columns. */
  readonly rename: Readonly<Record<string, string>>
}

export interface StepKind<Spec> {
  /** Columns that must be there before the step, so that `wanted` are there after it. */
  before(wanted: ReadonlySet<string>, spec: Spec, scope: StepScope): ReadonlySet<string>
  /** Columns of the data set that the step takes where they exist. */
  optional?(spec: Spec): readonly string[]
  /**
   * Splits that must be there before the step, so that `wanted` are there after it; default: the same. `all` are those
   * of the data set, in its order; `isDeclared` says whether a column holds declared class labels when the step is
   * reached.
   */
  splitsBefore?(
    wanted: ReadonlySet<string>,
    spec: Spec,
    all: readonly string[],
    isDeclared: (column: string) => boolean,
  ): ReadonlySet<string>
  /** The splits as they are after the step. */
  apply(splits: Splits, spec: Spec, scope: StepScope): Splits
  /**
   * Name of the config that a subset is read from; undefined: the standard one. Default: the one of the subset's name.
   */
  configRead?(subset: string, spec: Spec): string | undefined
  /** The configs whose rows make up a split, instead of a single one. */
  configsRead?(spec: Spec, split: string): readonly ConfigPart[]
}

/** Runs `change` over every split. */
export function eachSplit(splits: Splits, change: (rows: Rows, split: string) => Rows): Splits {
  return new Map([...splits].map(([split, rows]) => [split, change(rows, split)]))
}

/** Runs `change` over the splits of these names; undefined: over all. */
export function onlySplits(splits: Splits, names: readonly string[] | undefined, change: (rows: Rows) => Rows): Splits {
  return eachSplit(splits, (rows, split) => (names === undefined || names.includes(split) ? change(rows) : rows))
}

/** Throws `task.column`. */
export function columnOf({ columns, place }: Rows, name: string): unknown[] {
  const values = columns[name]
  if (values === undefined) throw fault('task.column', { place, what: `no column ${name}`, seen: Object.keys(columns) })
  return values
}

/** The rows at `indexes`, in that order. */
export function pickRows(rows: Rows, indexes: readonly number[]): Rows {
  return {
    ...rows,
    rows: indexes.length,
    columns: Object.fromEntries(
      Object.entries(rows.columns).map(([name, values]) => [name, indexes.map((i) => values[i])]),
    ),
  }
}

/** Rows with a column of new values, which are no declared class labels any more. */
export function withColumn(rows: Rows, name: string, values: unknown[]): Rows {
  const classLabels = new Map([...rows.classLabels].filter(([own]) => own !== name))
  return { ...rows, columns: { ...rows.columns, [name]: values }, classLabels }
}

/** A value as Python's `str` shows it. */
export function pythonText(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  return typeof value === 'number' || typeof value === 'bigint' ? String(value) : JSON.stringify(value)
}
