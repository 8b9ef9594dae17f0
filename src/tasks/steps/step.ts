/** What one kind of step is: a change to the rows between data set and task. */
import { fault } from '../../core/index.ts'
import type { Rows } from '../dataset.ts'

/** Split → rows, of one subset. */
export type Splits = ReadonlyMap<string, Rows>

/** What is read. */
export interface StepScope {
  readonly subset: string
}

export interface StepKind<Spec> {
  /** Columns that must be there before the step, so that `wanted` are there after it. */
  before(wanted: ReadonlySet<string>, spec: Spec, scope: StepScope): ReadonlySet<string>
  /** Splits that must be there before the step, so that `wanted` are there after it; default: the same. `all` are those of the data set, in its order. */
  splitsBefore?(wanted: ReadonlySet<string>, spec: Spec, all: readonly string[]): ReadonlySet<string>
  /** The splits as they are after the step. */
  apply(splits: Splits, spec: Spec, scope: StepScope): Splits
  /** Name of the config that a subset is read from; undefined: the standard one. Default: the one of the subset's name. */
  configRead?(subset: string, spec: Spec): string | undefined
}

/** Runs `change` over every split. */
export function eachSplit(splits: Splits, change: (rows: Rows, split: string) => Rows): Splits {
  return new Map([...splits].map(([split, rows]) => [split, change(rows, split)]))
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
    columns: Object.fromEntries(Object.entries(rows.columns).map(([name, values]) => [name, indexes.map((i) => values[i])])),
  }
}

export function withColumn(rows: Rows, name: string, values: unknown[]): Rows {
  return { ...rows, columns: { ...rows.columns, [name]: values } }
}

/** A value as Python's `str` shows it. */
export function pythonText(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  return typeof value === 'number' || typeof value === 'bigint' ? String(value) : JSON.stringify(value)
}
