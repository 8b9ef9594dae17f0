/**
 * JSON (RFC 8259) from strangers: bounded depth, so that no later walk over a value can overflow the stack; errors with
 * line and column; harmless keys.
 * A text that JSON.parse reads as it is meant is read by JSON.parse.
 */
import { type JsonRules, readJsonText } from './json-text.ts'
import { MAX_JSON_DEPTH } from './limits.ts'
import { decodeUtf8 } from './text.ts'

export type JsonOptions = Partial<JsonRules>

/**
 * The value of a JSON text; bytes must be UTF-8, a byte order mark before the first line is skipped.
 * Faults: `format.json` with line and column, `format.limit` for nesting deeper than `maxDepth`, or more than
 * `maxValues`.
 */
export function parseJson(input: string | Uint8Array, place: string, options: JsonOptions = {}): unknown {
  const {
    maxDepth = MAX_JSON_DEPTH,
    maxValues = Infinity,
    allowNaN = false,
    duplicates = 'last',
    integers = 'number',
    surrogates = 'keep',
    start,
    code,
  } = options
  const text = typeof input === 'string' ? input : decodeUtf8(input, code ?? 'format.json', place)
  const from = start === undefined && text.charCodeAt(0) === 0xfeff ? 1 : 0
  const asUsual = duplicates === 'last' && surrogates === 'keep' && integers !== 'bigint' && maxValues === Infinity
  if (asUsual && isPlain(text, maxDepth, integers === 'exact' ? exactDigits : shortNumber)) {
    try {
      return JSON.parse(from === 0 ? text : text.slice(from)) as unknown
    } catch {
      // The reader below knows NaN and its like, or says where the text goes wrong.
    }
  }
  return readJsonText(text, from, place, {
    maxDepth,
    maxValues,
    allowNaN,
    duplicates,
    integers,
    surrogates,
    start,
    code,
  })
}

/**
 * A JSON text of a Python program, which writes `NaN`, `Infinity` and `-Infinity` where JSON has no word. Faults: as
 * `parseJson`.
 */
export function parsePythonJson(input: string | Uint8Array, place: string, options: JsonOptions = {}): unknown {
  return parseJson(input, place, { ...options, allowNaN: true })
}

/** Every integer with this many digits is exact as a number. */
const exactDigits = 15
/** A number with no longer run of digits, three at most, is far below `MAX_NUMBER_LENGTH`. */
const shortNumber = 300

/**
 * Whether JSON.parse may be trusted with the text: no deep nesting, no long run of digits. Brackets and digits inside
 * strings count too; that only costs time.
 */
function isPlain(text: string, maxDepth: number, mostDigits: number): boolean {
  return !hasLongRun(text, mostDigits) && (opensAtMost(text, maxDepth) || isShallow(text, maxDepth))
}

/** Every run of more than `most` digits covers one of the places that are looked at. */
function hasLongRun(text: string, most: number): boolean {
  for (let place = most; place < text.length; place += most + 1) {
    if (!isDigit(text.charCodeAt(place))) continue
    let [from, to] = [place, place + 1]
    while (isDigit(text.charCodeAt(from - 1))) from--
    while (isDigit(text.charCodeAt(to))) to++
    if (to - from > most) return true
  }
  return false
}

/** NaN, beyond the ends of a text, is none. */
function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}

/** With so few brackets no value lies deeper: they are searched for, the letters between are not looked at one by one. */
function opensAtMost(text: string, most: number): boolean {
  let count = 0
  for (const bracket of ['[', '{'])
    for (let at = text.indexOf(bracket); at !== -1; at = text.indexOf(bracket, at + 1)) if (++count > most) return false
  return true
}

function isShallow(text: string, maxDepth: number): boolean {
  let depth = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === 0x5b || code === 0x7b) {
      if (++depth > maxDepth) return false
    } else if (code === 0x5d || code === 0x7d) depth--
  }
  return true
}
