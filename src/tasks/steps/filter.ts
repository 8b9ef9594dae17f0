/** Rows that one of their columns speaks for. */
import type { Rows } from '../dataset.ts'
import { stripText } from '../../core/index.ts'
import { columnOf, onlySplits, pickRows, type StepKind, type StepScope } from './step.ts'

type Value = string | number | boolean | null

/** What a value must be for its row to stay. */
type Condition =
  | { readonly in: readonly Value[] }
  | { readonly notIn: readonly Value[] }
  /** `true`: neither missing, nor zero, nor empty (Python's truth). `text`: that, and not blanks alone. `subset`: the name of the subset that is read. */
  | { readonly is: 'true' | 'text' | 'subset' }

export type Filter = Condition & {
  readonly column: string
  /** Default: all. */
  readonly splits?: readonly string[]
}

export const filter: StepKind<Filter> = {
  before: (wanted, { column }) => new Set([...wanted, column]),
  apply: (splits, spec, scope) =>
    onlySplits(splits, spec.splits, (rows) => {
      const stays = test(rows, spec, scope)
      return pickRows(
        rows,
        columnOf(rows, spec.column).flatMap((value, i) => (stays(value) ? [i] : [])),
      )
    }),
}

function test(rows: Rows, spec: Filter, { subset }: StepScope): (value: unknown) => boolean {
  if ('is' in spec) {
    switch (spec.is) {
      case 'true':
        return isTrue
      case 'text':
        return (value) => isTrue(value) && (typeof value !== 'string' || stripText(value) !== '')
      case 'subset':
        return (value) => value === subset
      default:
        return spec.is satisfies never
    }
  }
  const key = (value: unknown): unknown => comparable(value, rows.untyped)
  const listed = new Set(('in' in spec ? spec.in : spec.notIn).map(key))
  return 'in' in spec ? (value) => listed.has(key(value)) : (value) => !listed.has(key(value))
}

/** Truth values equal 0 and 1, as in Python; separated values are texts, and an empty one is missing. */
function comparable(value: unknown, untyped: boolean): unknown {
  const plain = typeof value === 'boolean' || typeof value === 'bigint' ? Number(value) : value
  if (!untyped) return plain
  return plain === '' || plain === null ? null : String(plain)
}

function isTrue(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return Boolean(value)
  return (Array.isArray(value) ? value : Object.keys(value)).length > 0
}
