/** Python's operators, as far as Jinja has them. */
import type { Budget } from './budget.ts'
import { str } from './print.ts'
import {
  entryAt,
  float,
  fromInteger,
  isKind,
  isList,
  keyOf,
  list,
  numberOf,
  refuseStrict,
  refuseUndefined,
  TemplateError,
  toBigInt,
  tuple,
  typeName,
  type Value,
} from './values.ts'
import { formatPercent } from './format.ts'

/** `and`, `or` are the evaluator's: they do not always look at their right side. */
export function binary(operator: string, left: Value, right: Value, budget: Budget): Value {
  switch (operator) {
    case '==':
      return equal(left, right, budget)
    case '!=':
      return !equal(left, right, budget)
    case 'in':
      return contains(right, left, budget)
    case 'not in':
      return !contains(right, left, budget)
    case '~':
      return budget.text(str(left, budget) + str(right, budget))
    case '<':
      return compare(left, right, budget) < 0
    case '>':
      return compare(left, right, budget) > 0
    case '<=':
      return compare(left, right, budget) <= 0
    case '>=':
      return compare(left, right, budget) >= 0
    default:
      return arithmetic(operator, left, right, budget)
  }
}

export function equal(left: Value, right: Value, budget: Budget): boolean {
  budget.spend(1)
  refuseStrict(left)
  refuseStrict(right)
  const [a, b] = [comparable(left), comparable(right)]
  // oxlint-disable-next-line eqeqeq -- an integer may stand as a number on one side and as a bigint on the other
  if (a !== undefined && b !== undefined) return a == b
  if (isKind(left, 'undefined') && isKind(right, 'undefined')) return true
  if (isList(left) && isList(right)) {
    return (
      left.kind === right.kind &&
      left.items.length === right.items.length &&
      left.items.every((item, index) => equal(item, right.items[index] ?? null, budget))
    )
  }
  if (isKind(left, 'dict') && isKind(right, 'dict')) {
    if (left.entries.size !== right.entries.size) return false
    budget.spend(left.entries.size)
    return [...left.entries].every(
      ([key, value]) => right.entries.has(key) && equal(value, right.entries.get(key) ?? null, budget),
    )
  }
  if (typeof left === 'string' && typeof right === 'string' && left.length === right.length)
    budget.characters(left.length)
  return left === right
}

export function contains(container: Value, item: Value, budget: Budget): boolean {
  refuseStrict(container)
  if (isKind(container, 'undefined')) return false
  if (typeof container === 'string') {
    if (typeof item !== 'string')
      throw new TemplateError(`'in <string>' requires string as left operand, not ${typeName(item)}`)
    budget.characters(container.length)
    return container.includes(item)
  }
  if (isList(container)) return container.items.some((entry) => equal(entry, item, budget))
  if (isKind(container, 'dict')) return entryAt(container, keyOf(item)) !== undefined
  throw new TemplateError(`argument of type '${typeName(container)}' is not iterable`)
}

/** Negative, zero or positive; only values of like kind have an order. */
export function compare(left: Value, right: Value, budget: Budget): number {
  budget.spend(1)
  refuseUndefined(left)
  refuseUndefined(right)
  const [a, b] = [comparable(left), comparable(right)]
  if (a !== undefined && b !== undefined) return ordered(a, b)
  if (typeof left === 'string' && typeof right === 'string') {
    budget.characters(Math.min(left.length, right.length))
    return comparePoints(left, right)
  }
  if (isList(left) && isList(right) && left.kind === right.kind) {
    for (let index = 0; index < Math.min(left.items.length, right.items.length); index++) {
      const order = compare(left.items[index] ?? null, right.items[index] ?? null, budget)
      if (order !== 0) return order
    }
    return left.items.length - right.items.length
  }
  throw new TemplateError(`'<' not supported between instances of '${typeName(left)}' and '${typeName(right)}'`)
}

/** Numbers as they are: JavaScript compares bigints with them exactly. */
function comparable(value: Value): number | bigint | undefined {
  return typeof value === 'bigint' ? value : numberOf(value)
}

/** NaN is neither smaller nor larger. */
function ordered(a: number | bigint, b: number | bigint): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  if (a < b) return -1
  return a > b ? 1 : Number(a) - Number(b)
}

/** By code point; UTF-16 would sort the astral planes below U+E000. */
function comparePoints(a: string, b: string): number {
  if (a === b) return 0
  let index = 0
  while (a.charCodeAt(index) === b.charCodeAt(index)) index++
  const at = (text: string): number => (index < text.length ? (text.codePointAt(index) ?? -1) : -1)
  const isSurrogate = (text: string): boolean => /[\ud800-\udfff]/.test(text.charAt(index))
  if (isSurrogate(a) !== isSurrogate(b) && index < a.length && index < b.length) return isSurrogate(a) ? 1 : -1
  return at(a) - at(b)
}

function arithmetic(operator: string, left: Value, right: Value, budget: Budget): Value {
  refuseUndefined(left)
  refuseUndefined(right)
  const exact = ofIntegers(operator, left, right)
  if (exact !== undefined) return exact
  const [a, b] = [numberOf(left), numberOf(right)]
  if (a !== undefined && b !== undefined) {
    const isFloat = operator === '/' || isKind(left, 'float') || isKind(right, 'float') || (operator === '**' && b < 0)
    const result = calculate(operator, a, b)
    return isFloat ? float(result) : result
  }
  if (operator === '+') return plus(left, right, budget)
  if (operator === '*') {
    const [sequence, count] = typeof left === 'number' ? [right, left] : [left, right]
    if (typeof count === 'number') return repeat(sequence, count, budget)
  }
  if (operator === '%' && typeof left === 'string') return formatPercent(left, right, budget)
  throw new TemplateError(`unsupported operand type(s) for ${operator}: '${typeName(left)}' and '${typeName(right)}'`)
}

/** Python prints integers of 4300 digits at most. */
const mostBits = 14_284

const exactly: Readonly<Record<string, (a: bigint, b: bigint) => bigint>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
}

/** Sums, differences and products of integers that are too large for numbers, or become it; undefined for others. */
function ofIntegers(operator: string, left: Value, right: Value): number | bigint | undefined {
  const run = exactly[operator]
  if (run === undefined || (typeof left !== 'bigint' && typeof right !== 'bigint' && fits(operator, left, right)))
    return undefined
  const [a, b] = [toBigInt(left), toBigInt(right)]
  if (a === undefined || b === undefined) return undefined
  const result = run(a, b)
  if (BigInt.asIntN(mostBits, result) !== result) throw new TemplateError('an integer is too large')
  return fromInteger(result)
}

/** Whether numbers hold the result exactly. */
function fits(operator: string, left: unknown, right: unknown): boolean {
  if (!Number.isInteger(left) || !Number.isInteger(right)) return true
  return Number.isSafeInteger(calculate(operator, left as number, right as number))
}

function plus(left: Value, right: Value, budget: Budget): Value {
  if (typeof left === 'string' && typeof right === 'string') return budget.text(left + right)
  if (isList(left) && isList(right) && left.kind === right.kind) {
    budget.spend(left.items.length + right.items.length)
    const items = [...left.items, ...right.items]
    return left.kind === 'list' ? list(items) : tuple(items)
  }
  if (typeof left === 'string' || isList(left)) {
    throw new TemplateError(`can only concatenate ${typeName(left)} (not "${typeName(right)}") to ${typeName(left)}`)
  }
  throw new TemplateError(`unsupported operand type(s) for +: '${typeName(left)}' and '${typeName(right)}'`)
}

function repeat(sequence: Value, count: number, budget: Budget): Value {
  const times = Math.max(0, count)
  if (typeof sequence === 'string') {
    budget.characters(sequence.length * times)
    return sequence.repeat(times)
  }
  if (isList(sequence)) {
    budget.spend(sequence.items.length * times)
    return { kind: sequence.kind, items: Array.from({ length: times }, () => sequence.items).flat() }
  }
  throw new TemplateError(`can't multiply sequence by non-int of type '${typeName(sequence)}'`)
}

function calculate(operator: string, a: number, b: number): number {
  if (b === 0 && ['/', '//', '%'].includes(operator)) throw new TemplateError('division by zero')
  switch (operator) {
    case '+':
      return a + b
    case '-':
      return a - b
    case '*':
      return a * b
    case '/':
      return a / b
    case '//':
      return Math.floor(a / b)
    // The sign of the divisor, as in Python.
    case '%':
      return a - b * Math.floor(a / b)
    case '**':
      return a ** b
    default:
      throw new TemplateError(`unknown operator ${operator}`)
  }
}
