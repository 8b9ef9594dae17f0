/** Columns of a task as typed values; whatever does not fit is a fault with its row. */
import { fault } from '#core'
import { type Rows, rowPlace } from './dataset.ts'

/** Texts; numbers and truth values become text, a missing one is a `task.value` fault. */
export function texts(rows: Rows, name: string): string[] {
  return values(rows, name).map((value, i) => {
    if (typeof value === 'string') return value
    if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') return String(value)
    throw wrong(rows, i, `${name} is not a text`, value)
  })
}

/** An integer from outside as a number; NaN where that would be another one. */
function toExact(value: unknown): number {
  return typeof value === 'bigint' && BigInt(Number(value)) !== value ? NaN : Number(value)
}

/** Finite numbers; anything else is a `task.value` fault. In separated values, texts that are numbers count as such. */
export function numbers(rows: Rows, name: string): number[] {
  return values(rows, name).map((value, i) => {
    const textual = rows.untyped && typeof value === 'string' && value.trim() !== ''
    const number = textual || ['number', 'bigint'].includes(typeof value) ? toExact(value) : NaN
    if (!Number.isFinite(number)) throw wrong(rows, i, `${name} is not a number`, value)
    return number
  })
}

export type Label = string | number

/**
 * Class labels of several splits, all numbers or all texts. Separated values that all look like integers are numbers,
 * as pandas would have them.
 */
export function labels(splits: readonly Rows[], name: string): Label[][] {
  const all = splits.map((rows) => ownLabels(rows, name))
  const integers =
    splits.some(({ untyped }) => untyped) &&
    all.flat().every((label) => typeof label === 'number' || /^[+-]?\d{1,15}$/.test(label))
  return integers ? all.map((own) => own.map(Number)) : all
}

function ownLabels(rows: Rows, name: string): Label[] {
  const all = values(rows, name).map((value, i): Label => {
    if (typeof value === 'string') return value
    const label = typeof value === 'bigint' || typeof value === 'boolean' ? toExact(value) : value
    if (typeof label === 'number' && Number.isFinite(label)) return label
    throw fault('task.label', { place: rowPlace(rows, i), what: 'a row has no usable label', seen: value })
  })
  const textual = all.findIndex((label) => typeof label === 'string')
  if (textual < 0) return all
  const numeric = all.findIndex((label) => typeof label === 'number')
  if (numeric >= 0)
    throw fault('task.label', {
      place: rows.place,
      what: 'some labels are numbers, others texts',
      seen: [all[numeric], all[textual]],
    })
  return all
}

/**
 * Labels of rows that may have several: lists as they are, a single label as a list of one (with `lists`, a
 * `task.label` fault). Labels of one column are
 * all numbers or all texts.
 */
export function labelLists(rows: Rows, name: string, { lists = false }: { lists?: boolean } = {}): Label[][] {
  const all = values(rows, name)
  if (!lists && !all.some(Array.isArray)) return labels([rows], name)[0]?.map((label) => [label]) ?? []
  let kind: string | undefined
  return all.map((value, i) => {
    if (lists && !Array.isArray(value))
      throw fault('task.label', { place: rowPlace(rows, i), what: 'a row needs a list of labels', seen: value })
    return (Array.isArray(value) ? value : [value]).map((entry: unknown): Label => {
      const label = typeof entry === 'bigint' || typeof entry === 'boolean' ? toExact(entry) : entry
      if (typeof label !== 'string' && !(typeof label === 'number' && Number.isFinite(label)))
        throw fault('task.label', {
          place: rowPlace(rows, i),
          what: 'a row has a label that is neither a number nor a text',
          seen: entry,
        })
      kind ??= typeof label
      if (kind !== typeof label)
        throw fault('task.label', {
          place: rowPlace(rows, i),
          what: 'some labels are numbers, others texts',
          seen: label,
        })
      return label
    })
  })
}

export function values({ columns, place }: Rows, name: string): unknown[] {
  const found = columns[name]
  if (found === undefined) throw fault('task.column', { place, what: `no column ${name}`, seen: Object.keys(columns) })
  return found
}

function wrong(rows: Rows, row: number, what: string, seen: unknown): Error {
  return fault('task.value', { place: rowPlace(rows, row), what, seen })
}
