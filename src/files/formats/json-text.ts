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

/** The value of `text` from character `at` on. Faults: as `parseJson`. */
export function readJsonText(
  text: string,
  at: number,
  place: string,
  { maxDepth, maxValues, allowNaN, duplicates, integers, surrogates, start, code }: JsonRules,
): unknown {
  const end = text.length
  let values = 0
  skipSpace()
  const value = readValue(0)
  skipSpace()
  if (at < end) throw failure('text after the value')
  return value

  function readValue(depth: number): unknown {
    if (depth > maxDepth) throw limit('nested too deep', `at most ${maxDepth} levels`)
    if (++values > maxValues) throw limit('too many values', `at most ${maxValues}`)
    const first = text.charCodeAt(at)
    if (first === QUOTE) return readString()
    if (first === OPEN_BRACE) return readObject(depth)
    if (first === OPEN_BRACKET) return readArray(depth)
    if (first === MINUS || isDigit(first)) return readNumber()
    if (take('true')) return true
    if (take('false')) return false
    if (take('null')) return null
    if (allowNaN && take('NaN')) return Number.NaN
    if (allowNaN && take('Infinity')) return Infinity
    throw failure(at < end ? 'not a JSON value' : 'text ends inside a value')
  }

  function readObject(depth: number): Record<string, unknown> {
    const object: Record<string, unknown> = {}
    at++
    skipSpace()
    if (takeCode(CLOSE_BRACE)) return object
    for (;;) {
      if (text.charCodeAt(at) !== QUOTE) throw failure('an object key must be a string')
      const keyAt = at
      const key = readString()
      if (duplicates === 'refuse' && Object.hasOwn(object, key)) {
        at = keyAt
        throw failure(`key ${JSON.stringify(key.slice(0, 100))} occurs twice`)
      }
      skipSpace()
      if (!takeCode(COLON)) throw failure('expected ":" after the key')
      skipSpace()
      const value = readValue(depth + 1)
      // Assigning to `__proto__` would change the prototype; defining it makes a plain field.
      if (key === '__proto__')
        Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true })
      else object[key] = value
      skipSpace()
      if (takeCode(CLOSE_BRACE)) return object
      if (!takeCode(COMMA)) throw failure('expected "," or "}"')
      skipSpace()
    }
  }

  function readArray(depth: number): unknown[] {
    const array: unknown[] = []
    at++
    skipSpace()
    if (takeCode(CLOSE_BRACKET)) return array
    for (;;) {
      array.push(readValue(depth + 1))
      skipSpace()
      if (takeCode(CLOSE_BRACKET)) return array
      if (!takeCode(COMMA)) throw failure('expected "," or "]"')
      skipSpace()
    }
  }

  function readString(): string {
    let closing = text.indexOf('"', at + 1)
    while (closing >= 0 && isEscaped(closing)) closing = text.indexOf('"', closing + 1)
    const string = closing < 0 ? undefined : parsed(text.slice(at, closing + 1))
    if (string === undefined) throw brokenString()
    if (surrogates === 'refuse' && /\p{Surrogate}/u.test(string)) throw failure('half a surrogate pair in a string')
    at = closing + 1
    return string
  }

  function isEscaped(quote: number): boolean {
    let slashes = 0
    while (text.charCodeAt(quote - 1 - slashes) === BACKSLASH) slashes++
    return slashes % 2 === 1
  }

  /** The fault of the string that begins here; a string that never ends is reported where it begins. */
  function brokenString(): Fault {
    const from = at
    for (at++; at < end && text.charCodeAt(at) >= 0x20; at++) {
      if (text.charCodeAt(at) !== BACKSLASH) continue
      at++
      if (!/^(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/.test(text.slice(at, at + 5))) return failure('unknown escape in a string')
    }
    if (at < end) return failure('control character in a string')
    at = from
    return failure('string never ends')
  }

  function readNumber(): number | bigint {
    const from = at
    const negative = takeCode(MINUS)
    if (negative && allowNaN && take('Infinity')) return -Infinity
    if (takeCode(ZERO)) {
      if (isDigit(text.charCodeAt(at))) throw failure('a number must not begin with 0')
    } else skipDigits()
    const whole = at
    if (takeCode(POINT)) skipDigits()
    if (takeCode(LETTER_E) || takeCode(LETTER_e)) {
      if (!takeCode(PLUS)) takeCode(MINUS)
      skipDigits()
    }
    if (at - from > MAX_NUMBER_LENGTH) throw failure('number with too many digits')
    const literal = text.slice(from, at)
    const value = Number(literal)
    if (integers === 'number' || at !== whole) return value
    if (integers === 'exact' && (Number.isSafeInteger(value) || String(value) === literal)) return value
    // -0 is no integer: as one it would be 0.
    return literal === '-0' ? value : BigInt(literal)
  }

  function skipDigits(): void {
    if (!isDigit(text.charCodeAt(at))) throw failure('a digit is missing')
    while (isDigit(text.charCodeAt(at))) at++
  }

  function skipSpace(): void {
    for (
      let char = text.charCodeAt(at);
      char === 0x20 || char === 0x0a || char === 0x0d || char === 0x09;
      char = text.charCodeAt(at)
    )
      at++
  }

  function takeCode(wanted: number): boolean {
    if (text.charCodeAt(at) !== wanted) return false
    at++
    return true
  }

  function take(word: string): boolean {
    if (!text.startsWith(word, at)) return false
    at += word.length
    return true
  }

  function limit(what: string, wanted: string): Fault {
    return fault(code ?? 'format.limit', { place: lineAndColumn(place, text, at, start), what, wanted })
  }

  function failure(what: string): Fault {
    return fault(code ?? 'format.json', {
      place: lineAndColumn(place, text, at, start),
      what: code === undefined ? what : `not JSON: ${what}`,
      seen: at < end ? text.slice(at, at + 20) : 'end of text',
    })
  }
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

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}
