/** The layout after a colon of `'{:>8.2f}'.format(…)`: fill, side, sign, zeros, width, thousands, digits, type. */
import type { Budget } from './budget.ts'
import { str } from './print.ts'
import { isKind, numberOf, pointCount, TemplateError, typeName, type Value } from './values.ts'

const grammar = /^(?:([^])?([<>^=]))?([-+ ])?(0)?(\d{1,4})?([,_])?(?:\.(\d{1,2}))?([bdeEfFnosxX%])?$/u

/** Throws `TemplateError` for what it does not know. */
export function layOut(value: Value, layout: string, budget: Budget): string {
  if (layout === '') return str(value, budget)
  const [, fill, side, sign, zero, width = '0', comma, precision, type] = grammar.exec(layout) ?? []
  if (grammar.exec(layout) === null) throw new TemplateError(`Invalid format specifier '${layout}'`)
  const isText = typeof value === 'string'
  if (isText && (sign !== undefined || comma !== undefined || side === '=' || (type ?? 's') !== 's'))
    throw new TemplateError(`Invalid format specifier '${layout}' for object of type 'str'`)
  const text = isText ? clipped(value, precision) : signed(value, { sign, comma, precision, type })
  const missing = Math.max(0, Number(width) - pointCount(text))
  budget.characters(missing)
  const by = fill ?? (zero === undefined ? ' ' : '0')
  const usual = zero === undefined ? '>' : '='
  switch (side ?? (isText ? '<' : usual)) {
    case '<':
      return text + by.repeat(missing)
    case '>':
      return by.repeat(missing) + text
    case '^':
      return by.repeat(missing >> 1) + text + by.repeat(missing - (missing >> 1))
    default:
      return /^[-+ ]/.test(text) ? text.slice(0, 1) + by.repeat(missing) + text.slice(1) : by.repeat(missing) + text
  }
}

interface NumberLayout {
  readonly sign: string | undefined
  readonly comma: string | undefined
  readonly precision: string | undefined
  readonly type: string | undefined
}

function clipped(text: string, precision: string | undefined): string {
  return precision === undefined ? text : Array.from(text).slice(0, Number(precision)).join('')
}

function signed(value: Value, { sign, comma, precision, type }: NumberLayout): string {
  const number = numberOf(value)
  if (number === undefined) throw new TemplateError(`unsupported format string passed to ${typeName(value)}.__format__`)
  const bare = digits(Math.abs(number), isKind(value, 'float'), precision, type)
  const grouped =
    comma === undefined ? bare : bare.replace(/^\d+/, (whole) => whole.replace(/\B(?=(?:\d{3})+$)/g, comma))
  if (number < 0 || Object.is(number, -0)) return `-${grouped}`
  return sign === '+' || sign === ' ' ? sign + grouped : grouped
}

function digits(size: number, isFloat: boolean, precision: string | undefined, type: string | undefined): string {
  const places = precision === undefined ? 6 : Number(precision)
  const kind = type ?? (isFloat ? '' : 'd')
  if (isFloat && /[bdoxX]/.test(kind))
    throw new TemplateError(`Unknown format code '${kind}' for object of type 'float'`)
  switch (kind) {
    case 'f':
    case 'F':
      return size.toFixed(places)
    case '%':
      return `${(size * 100).toFixed(places)}%`
    case 'e':
    case 'E':
      return cased(size.toExponential(places).replace(/e([+-])(\d)$/, 'e$10$2'), kind)
    case 'b':
      return size.toString(2)
    case 'o':
      return size.toString(8)
    case 'x':
    case 'X':
      return cased(size.toString(16), kind)
    case 'd':
    case 'n':
      return String(size)
    default:
      throw new TemplateError(kind === '' ? 'a float is laid out without a type' : `Unknown format code '${kind}'`)
  }
}

function cased(text: string, kind: string): string {
  return /[A-Z]/.test(kind) ? text.toUpperCase() : text
}
