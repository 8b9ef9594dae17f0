/** Rows of a harness task, as Python would hold them. */
import { type Float, pythonText } from '#platform/jinja'

/** Numbers that are whole are integers, those that no number holds exactly bigints; a float that happens to be whole is a `Float`, so that it prints as `1.0`. */
export type DocValue =
  | string
  | number
  | bigint
  | boolean
  | null
  | Float
  | readonly DocValue[]
  | { readonly [name: string]: DocValue }

/** One row: column → value; class labels are their index. */
export type Doc = Readonly<Record<string, DocValue>>

/** Equal documents have equal keys. */
export function toKey(doc: Doc): string {
  return JSON.stringify(doc, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value))
}

/** A value as Python's `str()` gives it; a missing value as an empty text. */
export function docText(value: DocValue | undefined): string {
  return value === undefined || value === null ? '' : pythonText(value)
}
