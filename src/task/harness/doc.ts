/** Rows of a harness task, as Python would hold them. */
import { type Float, pythonText } from '#platform/jinja'

/** Numbers that are whole are integers; a float that happens to be whole is a `Float`, so that it prints as `1.0`. */
export type DocValue =
  | string
  | number
  | boolean
  | null
  | Float
  | readonly DocValue[]
  | { readonly [name: string]: DocValue }

/** One row: column → value; class labels are their index. */
export type Doc = Readonly<Record<string, DocValue>>

/** A value as Python's `str()` gives it; a missing value as an empty text. */
export function docText(value: DocValue | undefined): string {
  return value === undefined || value === null ? '' : pythonText(value)
}
