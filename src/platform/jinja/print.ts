/** Values as text: Python's str() and repr(), and json.dumps as transformers' `tojson` calls it. */
import { compareUnits } from '#core'
import type { Budget } from './budget.ts'
import {
  type Dict,
  isKind,
  type Key,
  type List,
  refuseStrict,
  refuseUndefined,
  TemplateError,
  typeName,
  type Value,
} from './values.ts'

/** What `{{ value }}` prints. */
export function str(value: Value, budget: Budget): string {
  if (typeof value === 'string') return value
  refuseStrict(value)
  if (isKind(value, 'undefined')) return ''
  return repr(value, budget)
}

export function repr(value: Value, budget: Budget): string {
  budget.spend(1)
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value === 'number' || typeof value === 'bigint') return String(value)
  if (typeof value === 'string') return budget.text(quote(value))
  switch (value.kind) {
    case 'float':
      return floatText(value.value)
    case 'list':
      return `[${joined(value, budget)}]`
    case 'tuple':
      return value.items.length === 1 ? `(${joined(value, budget)},)` : `(${joined(value, budget)})`
    case 'dict':
      return budget.text(
        `{${[...value.entries].map(([key, entry]) => `${repr(key, budget)}: ${repr(entry, budget)}`).join(', ')}}`,
      )
    case 'namespace':
      return '<Namespace>'
    case 'callable':
      return `<function ${value.name}>`
    case 'undefined':
      return 'Undefined'
    default:
      return value satisfies never
  }
}

function joined({ items }: List, budget: Budget): string {
  return budget.text(items.map((item) => repr(item, budget)).join(', '))
}

/**
 * What `str.isprintable` denies, and the backslash: separators but the space, and what no letter, mark, number, sign or
 * symbol is.
 */
const unprintable = /[\\\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu

function quote(text: string): string {
  const mark = text.includes("'") && !text.includes('"') ? '"' : "'"
  const escaped = text.replace(unprintable, (character) => {
    const short = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }[character]
    if (short !== undefined) return short
    const point = character.codePointAt(0) ?? 0
    const hex = point.toString(16)
    if (point < 0x100) return `\\x${hex.padStart(2, '0')}`
    return point < 0x10000 ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`
  })
  return mark + (mark === "'" ? escaped.replaceAll("'", "\\'") : escaped) + mark
}

/** Shortest digits that read back the same; an exponent from 1e16 on and below 1e-4. */
export function floatText(value: number): string {
  if (Number.isNaN(value)) return 'nan'
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf'
  const size = Math.abs(value)
  if (size !== 0 && (size >= 1e16 || size < 1e-4)) {
    return value.toExponential().replace(/e([+-])(\d)$/, 'e$10$2')
  }
  const text = Object.is(value, -0) ? '-0' : String(value)
  return text.includes('.') ? text : `${text}.0`
}

export interface JsonLayout {
  readonly ensureAscii: boolean
  /** Spaces per level, or the text itself; undefined for one line. */
  readonly indent: string | undefined
  readonly separators: readonly [string, string]
  readonly sortKeys: boolean
}

export function json(value: Value, layout: JsonLayout, budget: Budget, depth = 0): string {
  budget.spend(1)
  refuseUndefined(value)
  if (value === null || typeof value === 'boolean') return String(value)
  if (typeof value === 'number' || typeof value === 'bigint') return String(value)
  if (typeof value === 'string') return budget.text(jsonString(value, layout))
  if (value.kind === 'float')
    return { inf: 'Infinity', '-inf': '-Infinity', nan: 'NaN' }[floatText(value.value)] ?? floatText(value.value)
  if (value.kind === 'dict')
    return bracketed(['{', '}'], dictItems(value, layout, budget, depth), layout, budget, depth)
  if (value.kind === 'list' || value.kind === 'tuple') {
    const items = value.items.map((item) => json(item, layout, budget, depth + 1))
    return bracketed(['[', ']'], items, layout, budget, depth)
  }
  throw new TemplateError(`Object of type ${typeName(value)} is not JSON serializable`)
}

function dictItems({ entries }: Dict, layout: JsonLayout, budget: Budget, depth: number): readonly string[] {
  const named = [...entries].map(([key, value]) => [keyText(key), value] as const)
  if (layout.sortKeys) named.sort(([a], [b]) => compareUnits(a, b))
  return named.map(
    ([key, value]) => jsonString(key, layout) + layout.separators[1] + json(value, layout, budget, depth + 1),
  )
}

function keyText(key: Key): string {
  return typeof key === 'number' && !Number.isInteger(key) ? floatText(key) : String(key)
}

function bracketed(
  [open, close]: readonly [string, string],
  items: readonly string[],
  { indent, separators }: JsonLayout,
  budget: Budget,
  depth: number,
): string {
  if (items.length === 0) return open + close
  // Paid before it is made: separators, depth and indent are the template's choice.
  budget.characters((separators[0].length + separators[1].length) * items.length)
  if (indent === undefined) return budget.text(open + items.join(separators[0]) + close)
  budget.characters(indent.length * (depth + 1) * items.length)
  const inner = `\n${indent.repeat(depth + 1)}`
  return budget.text(`${open}${inner}${items.join(separators[0] + inner)}\n${indent.repeat(depth)}${close}`)
}

function jsonString(text: string, { ensureAscii }: JsonLayout): string {
  const quoted = JSON.stringify(text)
  return ensureAscii
    ? quoted.replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    : quoted
}
