/** JSON (RFC 8259) from strangers: bounded depth, errors with line and column, harmless keys. */
import { fault, type Fault } from '#core'
import { MAX_DEPTH, MAX_NUMBER_LENGTH } from './limits.ts'
import { decodeUtf8, lineAndColumn } from './text.ts'

export interface JsonOptions {
  /** Deepest nesting of arrays and objects accepted. */
  maxDepth?: number
  /** Most values accepted, nested ones included: a list of empty objects takes thirty times the memory of its text. */
  maxValues?: number
  /** Accept `NaN`, `Infinity` and `-Infinity`, which Python's json writes. */
  allowNaN?: boolean
  /** `refuse` an object with the same key twice; otherwise the last one counts, as in JSON.parse. */
  duplicates?: 'last' | 'refuse'
  /** `bigint`: numbers without point and exponent come as bigint, exactly; the others as number, and so does -0, which is no integer. */
  integers?: 'number' | 'bigint'
  /** `refuse` strings that are no Unicode text: half a surrogate pair, which only an escape can bring in. */
  surrogates?: 'keep' | 'refuse'
}

/**
 * The value of a JSON text; bytes must be UTF-8, a byte order mark is skipped.
 * Faults: `format.json` with line and column, `format.limit` for nesting deeper than `maxDepth`, or more than `maxValues`.
 */
export function parseJson(input: string | Uint8Array, place: string, options: JsonOptions = {}): unknown {
  const { maxDepth = MAX_DEPTH, maxValues = Infinity, allowNaN = false, duplicates = 'last', integers = 'number', surrogates = 'keep' } = options
  const text = typeof input === 'string' ? input : decodeUtf8(input, 'format.json', place)
  const end = text.length
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0
  let values = 0

  skipSpace()
  const value = readValue(0)
  skipSpace()
  if (at < end) throw failure('text after the value')
  return value

  function readValue(depth: number): unknown {
    if (depth > maxDepth) throw fault('format.limit', { place: lineAndColumn(place, text, at), what: 'nested too deep', wanted: `at most ${maxDepth} levels` })
    if (++values > maxValues) throw fault('format.limit', { place: lineAndColumn(place, text, at), what: 'too many values', wanted: `at most ${maxValues}` })
    const code = text.charCodeAt(at)
    if (code === QUOTE) return readString()
    if (code === OPEN_BRACE) return readObject(depth)
    if (code === OPEN_BRACKET) return readArray(depth)
    if (code === MINUS || isDigit(code)) return readNumber()
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
        throw failure(`key ${JSON.stringify(key.slice(0, 100))} stands twice`)
      }
      skipSpace()
      if (!takeCode(COLON)) throw failure('expected ":" after the key')
      skipSpace()
      const value = readValue(depth + 1)
      // Assigning to `__proto__` would change the prototype; defining it makes a plain field.
      if (key === '__proto__') Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true })
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
    at++
    let out = ''
    let from = at
    for (;;) {
      const code = text.charCodeAt(at)
      if (code === QUOTE) {
        out += text.slice(from, at)
        if (surrogates === 'refuse' && /\p{Surrogate}/u.test(out)) throw failure('half a surrogate pair in a string')
        at++
        return out
      }
      if (code === BACKSLASH) {
        out += text.slice(from, at++)
        out += readEscape()
        from = at
      } else if (code < 0x20) throw failure('control character in a string')
      else if (at >= end) throw failure('text ends inside a string')
      else at++
    }
  }

  function readEscape(): string {
    const letter = text[at] ?? ''
    const plain = escapes.get(letter)
    if (plain !== undefined) {
      at++
      return plain
    }
    const hex = letter === 'u' ? text.slice(at + 1, at + 5) : ''
    if (!/^[0-9a-fA-F]{4}$/.test(hex)) throw failure('unknown escape in a string')
    at += 5
    return String.fromCharCode(Number.parseInt(hex, 16))
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
    return integers === 'bigint' && at === whole && literal !== '-0' ? BigInt(literal) : Number(literal)
  }

  function skipDigits(): void {
    if (!isDigit(text.charCodeAt(at))) throw failure('a digit is missing')
    while (isDigit(text.charCodeAt(at))) at++
  }

  function skipSpace(): void {
    for (let code = text.charCodeAt(at); code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09; code = text.charCodeAt(at)) at++
  }

  function takeCode(code: number): boolean {
    if (text.charCodeAt(at) !== code) return false
    at++
    return true
  }

  function take(word: string): boolean {
    if (!text.startsWith(word, at)) return false
    at += word.length
    return true
  }

  function failure(what: string): Fault {
    return fault('format.json', { place: lineAndColumn(place, text, at), what, seen: at < end ? text.slice(at, at + 20) : 'end of text' })
  }
}

/** A JSON object, neither null nor an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const [QUOTE, BACKSLASH, COMMA, COLON, MINUS, PLUS, POINT, ZERO, LETTER_E, LETTER_e] = [0x22, 0x5c, 0x2c, 0x3a, 0x2d, 0x2b, 0x2e, 0x30, 0x45, 0x65] as const
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d] as const

const escapes = new Map([
  ['"', '"'],
  ['\\', '\\'],
  ['/', '/'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
])

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}
