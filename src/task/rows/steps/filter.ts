/** Rows that one of their columns speaks for. */
import type { Rows } from '../dataset.ts'
import { stripText } from '#core'
import { columnOf, onlySplits, pickRows, pythonText, type StepKind, type StepScope } from './step.ts'

type Value = string | number | boolean | null

/** What a value must be for its row to stay. */
type Condition =
  | { readonly in: readonly Value[] }
  | { readonly not: readonly Value[] }
  /**
   * `true`: neither missing, nor zero, nor empty (Python's truth). `text`: that, and not blanks alone. `subset`: the
   * name of the subset that is read.
   */
  | { readonly is: 'true' | 'text' | 'subset' }
  /** The value of another column. */
  | { readonly equals: string }
  | { readonly above: number }

export type Filter = Condition & {
  readonly column: string
  /** Default: all. */
  readonly splits?: readonly string[]
}

export const filter: StepKind<Filter> = {
  before: (wanted, spec) => new Set([...wanted, spec.column, ...('equals' in spec ? [spec.equals] : [])]),
  apply: (splits, spec, scope) =>
    onlySplits(splits, spec.splits, (rows) => {
      const stays = test(rows, spec, scope)
      return pickRows(
        rows,
        columnOf(rows, spec.column).flatMap((value, i) => (stays(value, i) ? [i] : [])),
      )
    }),
}

function test(rows: Rows, spec: Filter, { subset }: StepScope): (value: unknown, row: number) => boolean {
  if ('is' in spec) {
    switch (spec.is) {
      case 'true':
        return rows.untyped ? truthOfTexts(columnOf(rows, spec.column)) : isTrue
      case 'text':
        return (value) => isTrue(value) && (typeof value !== 'string' || stripText(value) !== '')
      case 'subset':
        return (value) => value === subset
      default:
        return spec.is satisfies never
    }
  }
  if ('equals' in spec) {
    const others = columnOf(rows, spec.equals)
    return (value, row) => value === others[row]
  }
  if ('above' in spec) return (value) => value !== null && Number(value) > spec.above
  const key = (value: unknown): unknown => comparable(value, rows.untyped)
  const listed = new Set(('in' in spec ? spec.in : spec.not).map(key))
  return 'in' in spec ? (value) => listed.has(key(value)) : (value) => !listed.has(key(value))
}

/** Truth values equal 0 and 1, as in Python; integers that no number holds equal their like; separated values are texts, and an empty one is missing. */
function comparable(value: unknown, untyped: boolean): unknown {
  const plain = typeof value === 'boolean' ? Number(value) : value
  if (!untyped) return plain
  return plain === '' || plain === null ? null : pythonText(plain)
}

/**
 * Python's truth of separated values, which pandas would read as truth values or numbers where all of a column can be.
 */
function truthOfTexts(column: readonly unknown[]): (value: unknown) => boolean {
  const texts = column.flatMap((value) => (typeof value === 'string' && value !== '' ? [value] : []))
  if (texts.every((text) => /^(true|false)$/i.test(text)))
    return (value) => typeof value === 'string' && value.toLowerCase() === 'true'
  if (texts.every((text) => !Number.isNaN(Number(text)))) return (value) => Number(value) !== 0
  return isTrue
}

/** Python's truth of a value. */
export function isTrue(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return Boolean(value)
  return (Array.isArray(value) ? value : Object.keys(value)).length > 0
}
