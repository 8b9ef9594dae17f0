/** JSON read character by character: what JSON.parse would round, leave out or refuse, and where a text goes wrong. */
import { fault, type Fault, type FaultCode } from '#core'
import { MAX_NUMBER_LENGTH } from './limits.ts'
import { lineAndColumn } from './text.ts'

export interface JsonRules {
  /** Deepest nesting of arrays and objects accepted. */
  maxDepth: number
  /** Most values accepted, nested ones included: a list of empty objects takes thirty times the memory of its text. */
  maxValues: number
  /** Accept `NaN`, `Infinity` and `-Infinity`, which Python's json writes. */
  allowNaN: boolean
  /** `refuse` an object with the same key twice; otherwise the last one counts, as in JSON.parse. */
  duplicates: 'last' | 'refuse'
  /**
   * `exact`: integers that would print otherwise as numbers (most beyond 2^53) come as bigint. `bigint`: all without
   * point and exponent do.
   */
  integers: 'number' | 'exact' | 'bigint'
  /** `refuse` strings that are no Unicode text: half a surrogate pair, which only an escape can bring in. */
  surrogates: 'keep' | 'refuse'
  /** Where the text begins in its file, both from 1. */
  start: { readonly line: number; readonly column: number } | undefined
  /** Code of every fault, for texts that are a part of something larger; the words then begin with `not JSON`. */
  code: FaultCode | undefined
}

/** A text, how far it is read, and how many values it held so far. */
interface Reader {
  readonly text: string
  readonly place: string
  readonly rules: JsonRules
  at: number
  values: number
}

/** The value of `text` from character `at` on. Faults: as `parseJson`. */
export function readJsonText(text: string, at: number, place: string, rules: JsonRules): unknown {
  const reader: Reader = { text, place, rules, at, values: 0 }
  skipSpace(reader)
  const value = readValue(reader, 0)
  skipSpace(reader)
  if (reader.at < text.length) throw failure(reader, 'text after the value')
  return value
}

function readValue(reader: Reader, depth: number): unknown {
  const { text, rules, at } = reader
  if (depth > rules.maxDepth) throw limit(reader, 'nested too deep', `at most ${rules.maxDepth} levels`)
  if (++reader.values > rules.maxValues) throw limit(reader, 'too many values', `at most ${rules.maxValues}`)
  const first = text.charCodeAt(at)
  if (first === QUOTE) return readString(reader)
  if (first === OPEN_BRACE) return readObject(reader, depth)
  if (first === OPEN_BRACKET) return readArray(reader, depth)
  if (first === MINUS || isDigit(first)) return readNumber(reader)
  if (take(reader, 'true')) return true
  if (take(reader, 'false')) return false
  if (take(reader, 'null')) return null
  if (rules.allowNaN && take(reader, 'NaN')) return Number.NaN
  if (rules.allowNaN && take(reader, 'Infinity')) return Infinity
  throw failure(reader, at < text.length ? 'not a JSON value' : 'text ends inside a value')
}

function readObject(reader: Reader, depth: number): Record<string, unknown> {
  const object: Record<string, unknown> = {}
  reader.at++
  skipSpace(reader)
  if (takeCode(reader, CLOSE_BRACE)) return object
  for (;;) {
    if (reader.text.charCodeAt(reader.at) !== QUOTE) throw failure(reader, 'an object key must be a string')
    const keyAt = reader.at
    const key = readString(reader)
    if (reader.rules.duplicates === 'refuse' && Object.hasOwn(object, key)) {
      reader.at = keyAt
      throw failure(reader, `key ${JSON.stringify(key.slice(0, 100))} occurs twice`)
    }
    skipSpace(reader)
    if (!takeCode(reader, COLON)) throw failure(reader, 'expected ":" after the key')
    skipSpace(reader)
    const value = readValue(reader, depth + 1)
    // Assigning to `__proto__` would change the prototype; defining it makes a plain field.
    if (key === '__proto__')
      Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true })
    else object[key] = value
    skipSpace(reader)
    if (takeCode(reader, CLOSE_BRACE)) return object
    if (!takeCode(reader, COMMA)) throw failure(reader, 'expected "," or "}"')
    skipSpace(reader)
  }
}

function readArray(reader: Reader, depth: number): unknown[] {
  const array: unknown[] = []
  reader.at++
  skipSpace(reader)
  if (takeCode(reader, CLOSE_BRACKET)) return array
  for (;;) {
    array.push(readValue(reader, depth + 1))
    skipSpace(reader)
    if (takeCode(reader, CLOSE_BRACKET)) return array
    if (!takeCode(reader, COMMA)) throw failure(reader, 'expected "," or "]"')
    skipSpace(reader)
  }
}

function readString(reader: Reader): string {
  const { text, at } = reader
  let closing = text.indexOf('"', at + 1)
  while (closing >= 0 && isEscaped(text, closing)) closing = text.indexOf('"', closing + 1)
  const string = closing < 0 ? undefined : parsed(text.slice(at, closing + 1))
  if (string === undefined) throw brokenString(reader)
  if (reader.rules.surrogates === 'refuse' && /\p{Surrogate}/u.test(string))
    throw failure(reader, 'half a surrogate pair in a string')
  reader.at = closing + 1
  return string
}

function isEscaped(text: string, quote: number): boolean {
  let slashes = 0
  while (text.charCodeAt(quote - 1 - slashes) === BACKSLASH) slashes++
  return slashes % 2 === 1
}

/** The fault of the string that begins here: one that never ends is named where it begins. */
function brokenString(reader: Reader): Fault {
  const { text, at: from } = reader
  for (reader.at++; reader.at < text.length && text.charCodeAt(reader.at) >= 0x20; reader.at++) {
    if (text.charCodeAt(reader.at) !== BACKSLASH) continue
    reader.at++
    if (!/^(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/.test(text.slice(reader.at, reader.at + 5)))
      return failure(reader, 'unknown escape in a string')
  }
  if (reader.at < text.length) return failure(reader, 'control character in a string')
  reader.at = from
  return failure(reader, 'string never ends')
}

function readNumber(reader: Reader): number | bigint {
  const { text, at: from, rules } = reader
  const negative = takeCode(reader, MINUS)
  if (negative && rules.allowNaN && take(reader, 'Infinity')) return -Infinity
  if (takeCode(reader, ZERO)) {
    if (isDigit(text.charCodeAt(reader.at))) throw failure(reader, 'a number must not begin with 0')
  } else skipDigits(reader)
  const whole = reader.at
  if (takeCode(reader, POINT)) skipDigits(reader)
  if (takeCode(reader, LETTER_E) || takeCode(reader, LETTER_e)) {
    if (!takeCode(reader, PLUS)) takeCode(reader, MINUS)
    skipDigits(reader)
  }
  if (reader.at - from > MAX_NUMBER_LENGTH) throw failure(reader, 'number with too many digits')
  const literal = text.slice(from, reader.at)
  const value = Number(literal)
  if (rules.integers === 'number' || reader.at !== whole) return value
  if (rules.integers === 'exact' && (Number.isSafeInteger(value) || String(value) === literal)) return value
  // -0 is no integer: as one it would be 0.
  return literal === '-0' ? value : BigInt(literal)
}

function skipDigits(reader: Reader): void {
  if (!isDigit(reader.text.charCodeAt(reader.at))) throw failure(reader, 'a digit is missing')
  while (isDigit(reader.text.charCodeAt(reader.at))) reader.at++
}

function skipSpace(reader: Reader): void {
  const { text } = reader
  let { at } = reader
  while (isSpace(text.charCodeAt(at))) at++
  reader.at = at
}

function takeCode(reader: Reader, wanted: number): boolean {
  if (reader.text.charCodeAt(reader.at) !== wanted) return false
  reader.at++
  return true
}

function take(reader: Reader, word: string): boolean {
  if (!reader.text.startsWith(word, reader.at)) return false
  reader.at += word.length
  return true
}

function limit({ text, at, place, rules: { code, start } }: Reader, what: string, wanted: string): Fault {
  return fault(code ?? 'format.limit', { place: lineAndColumn(place, text, at, start), what, wanted })
}

function failure({ text, at, place, rules: { code, start } }: Reader, what: string): Fault {
  return fault(code ?? 'format.json', {
    place: lineAndColumn(place, text, at, start),
    what: code === undefined ? what : `not JSON: ${what}`,
    seen: at < text.length ? text.slice(at, at + 20) : 'end of text',
  })
}

const [QUOTE, BACKSLASH, COMMA, COLON, MINUS, PLUS, POINT, ZERO, LETTER_E, LETTER_e] = [
  0x22, 0x5c, 0x2c, 0x3a, 0x2d, 0x2b, 0x2e, 0x30, 0x45, 0x65,
] as const
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d] as const

/** The value of a string literal, or undefined where it is none. */
function parsed(literal: string): string | undefined {
  try {
    return JSON.parse(literal) as string
  } catch {
    return undefined
  }
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}
