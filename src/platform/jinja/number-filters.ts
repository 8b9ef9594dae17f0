/** Filters that make numbers, as Python reads and rounds them. */
import { stripText } from '#core'
import { roundHalfEven } from '#platform/python'
import { argument, textArgument, wholeArgument } from './arguments.ts'
import {
  type Arguments,
  float,
  fromInteger,
  isKind,
  numberOf,
  refuseUndefined,
  TemplateError,
  typeName,
  type Value,
} from './values.ts'

/** `int`: a text, also of a float, cut towards zero; otherwise the default. */
export function toInteger(value: Value, args: Arguments): Value {
  if (typeof value === 'bigint') return value
  const text = typeof value === 'string' ? stripText(value).replaceAll('_', '') : ''
  if (/^[+-]?\d{16,4300}$/.test(text)) return fromInteger(BigInt(text.replace('+', '')))
  const number = readNumber(value)
  return number === undefined || !Number.isFinite(number) ? (argument(args, 0, 'default') ?? 0) : Math.trunc(number)
}

export function toFloat(value: Value, args: Arguments): Value {
  const number = readNumber(value)
  return number === undefined ? (argument(args, 0, 'default') ?? float(0)) : float(number)
}

function readNumber(value: Value): number | undefined {
  refuseUndefined(value)
  return typeof value === 'string' ? pythonFloat(value) : numberOf(value)
}

const decimal = /^[+-]?(?:\d+(?:_\d+)*(?:\.(?:\d+(?:_\d+)*)?)?|\.\d+(?:_\d+)*)(?:e[+-]?\d+(?:_\d+)*)?$/i
const words: Readonly<Record<string, number>> = { inf: Infinity, infinity: Infinity, nan: NaN }

/** `float(text)`; undefined where that fails. */
function pythonFloat(text: string): number | undefined {
  const bare = stripText(text)
  if (decimal.test(bare)) return Number(bare.replaceAll('_', ''))
  const [, sign = '', word = ''] = /^([+-]?)([a-z]+)$/.exec(bare.toLowerCase()) ?? []
  const found = Object.hasOwn(words, word) ? words[word] : undefined
  return found === undefined || sign !== '-' ? found : -found
}

/** `round`: half goes to the even neighbour; an integer stays one where no method is named. */
export function round(value: Value, args: Arguments): Value {
  const number = numberOf(value)
  if (number === undefined) throw new TemplateError(`type ${typeName(value)} doesn't define round`)
  const precision = Math.max(-15, Math.min(15, wholeArgument(args, 0, 'precision', 0)))
  const method = textArgument(args, 1, 'method', 'common')
  if (method === 'common')
    return isKind(value, 'float') ? float(toDigits(number, precision)) : toDigits(number, Math.min(0, precision))
  if (method !== 'ceil' && method !== 'floor') throw new TemplateError('method must be common, ceil or floor')
  const scale = 10 ** precision
  return float(Math[method](number * scale) / scale)
}

function toDigits(number: number, digits: number): number {
  if (digits >= 0) return roundHalfEven(number, digits)
  const unit = 10 ** -digits
  return roundHalfEven(number / unit, 0) * unit
}
