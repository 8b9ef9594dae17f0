/** Python's two ways to fill a string in: `'%s' % x` and `'{}'.format(x)`, without attributes of the values. */
import type { Budget } from './budget.ts'
import { layOut } from './format-layout.ts'
import { repr, str } from './print.ts'
import { type Arguments, isKind, isList, numberOf, TemplateError, type Value } from './values.ts'

/** `%s %r %d %i %f %x %%`, with width, precision and flags `-` and `0`; `%(name)s` from a dict. */
export function formatPercent(pattern: string, values: Value, budget: Budget): string {
  const queue = isList(values) && values.kind === 'tuple' ? values.items : [values]
  let next = 0
  const filled = pattern.replace(
    /%(?:\((?<name>[^)]*)\))?(?<flags>[-0+ ]*)(?<width>\d{0,3})(?:\.(?<precision>\d{1,2}))?(?<kind>.)/gs,
    (...match: unknown[]) => {
      const { name, flags = '', width = '', precision, kind = '' } = match.at(-1) as Record<string, string | undefined>
      if (kind === '%') return '%'
      const entries = isKind(values, 'dict') ? values.entries : undefined
      const value = name === undefined ? queue[next++] : entries?.get(name)
      if (value === undefined) throw new TemplateError('not enough arguments for format string')
      return budget.text(pad(convert(kind, value, precision, budget), Number(width), flags))
    },
  )
  return budget.text(filled)
}

/** `{}`, `{0}`, `{name}`, `{!r}`, `{:>5}`; `{{` and `}}` stand for braces. */
export function formatBraces(pattern: string, { positional, named }: Arguments, budget: Budget): string {
  let next = 0
  const filled = pattern.replace(
    /\{\{|\}\}|\{([^{}!:]*)(?:!([rsa]))?(?::([^{}]*))?\}|[{}]/g,
    (whole, field: string | undefined, ...[conversion, layout]) => {
      if (whole === '{{') return '{'
      if (whole === '}}') return '}'
      if (field === undefined) throw new TemplateError(`Single '${whole}' encountered in format string`)
      const place = field === '' ? String(next++) : field
      const value = /^\d+$/.test(place) ? positional[Number(place)] : named.get(place)
      if (value === undefined) throw new TemplateError(`cannot fill {${field}} of a format string`)
      return budget.text(layOut(converted(value, conversion, budget), layout ?? '', budget))
    },
  )
  return budget.text(filled)
}

function converted(value: Value, conversion: string | undefined, budget: Budget): Value {
  if (conversion === undefined) return value
  return conversion === 's' ? str(value, budget) : repr(value, budget)
}

function convert(kind: string, value: Value, precision: string | undefined, budget: Budget): string {
  if (kind === 's') return clip(str(value, budget), precision)
  if (kind === 'r') return clip(repr(value, budget), precision)
  const number = numberOf(value)
  if (number === undefined) throw new TemplateError(`%${kind} format: a real number is required`)
  switch (kind) {
    case 'd':
    case 'i':
      return String(Math.trunc(number))
    case 'f':
      return number.toFixed(precision === undefined ? 6 : Number(precision))
    case 'x':
      return Math.trunc(number).toString(16)
    default:
      throw new TemplateError(`unsupported format character '${kind}'`)
  }
}

function clip(text: string, precision: string | undefined): string {
  return precision === undefined ? text : text.slice(0, Number(precision))
}

function pad(text: string, width: number, flags: string): string {
  const signed = flags.includes('+') && /^\d/.test(text) ? `+${text}` : text
  if (flags.includes('-')) return signed.padEnd(width)
  return flags.includes('0') && /^[+-]?[\d.]+$/.test(signed) ? signed.padStart(width, '0') : signed.padStart(width)
}
