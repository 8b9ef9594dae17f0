/**
 * JSON as it is found in data sets and result files: RFC 8259, and besides the bare `NaN`, `Infinity`, `-Infinity` that Python's json writes.
 * Where no exact number exists, an integer may be kept as a bigint. Nesting is limited, so that no later walk over the value can overflow the stack.
 */
import { fault } from '#core'

/** Deeper than any table or result; far below what recursion allows. */
const maxDepth = 256

export interface JsonOptions {
  /** Integers that would print otherwise as numbers (most beyond 2^53) become bigints. */
  bigInts?: boolean
}

/** The value, or what is wrong and at which character. */
export type JsonReading = { ok: true; value: unknown } | { ok: false; what: string; offset: number }

/** Value of a JSON text; throws `format.json` with line and column. */
export function parseJson(text: string, place: string, options: JsonOptions = {}): unknown {
  const reading = readJson(text, options)
  if (reading.ok) return reading.value
  const before = text.slice(0, reading.offset).split('\n')
  throw fault('format.json', { place: `${place}:${before.length}:${(before.at(-1)?.length ?? 0) + 1}`, what: reading.what })
}

export function readJson(text: string, { bigInts = false }: JsonOptions = {}): JsonReading {
  if (isPlain(text, bigInts)) {
    try {
      return { ok: true, value: JSON.parse(text) as unknown }
    } catch {
      // the careful reader below accepts the bare words, or says where the text goes wrong
    }
  }
  return readCarefully(text, bigInts)
}

/** Whether the engine's own parser may be trusted with the text: no deep nesting, and no number it would round. Brackets in strings count; that only costs time. */
function isPlain(text: string, bigInts: boolean): boolean {
  let depth = 0
  let digits = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code >= 0x30 && code <= 0x39) {
      if (++digits > 15 && bigInts) return false
      continue
    }
    digits = 0
    if (code === 0x5b || code === 0x7b) {
      if (++depth > maxDepth) return false
    } else if (code === 0x5d || code === 0x7d) depth--
  }
  return true
}

function readCarefully(text: string, bigInts: boolean): JsonReading {
  let at = 0
  const words = new Map<string, unknown>([
    ['true', true],
    ['false', false],
    ['null', null],
    ['NaN', Number.NaN],
    ['Infinity', Infinity],
    ['-Infinity', -Infinity],
  ])

  const skipSpace = (): void => {
    while (at < text.length && ' \t\n\r'.includes(text.charAt(at))) at++
  }
  const expect = (char: string): void => {
    if (text.charAt(at) !== char) throw unexpected(text, at, `wanted ${char}`)
    at++
  }

  const string = (): string => {
    const start = at
    expect('"')
    for (;;) {
      const end = text.indexOf('"', at)
      if (end < 0) throw new Misread('string never ends', start)
      at = end + 1
      let slashes = 0
      while (text.charAt(end - 1 - slashes) === '\\') slashes++
      if (slashes % 2 === 0) break
    }
    try {
      return JSON.parse(text.slice(start, at)) as string
    } catch {
      throw new Misread('string with a raw control character or an unknown escape', start)
    }
  }

  const number = (): unknown => {
    numberPattern.lastIndex = at
    const token = numberPattern.exec(text)?.[0]
    if (token === undefined) throw unexpected(text, at)
    at += token.length
    const value = Number(token)
    if (!bigInts || Number.isSafeInteger(value) || !/^-?\d+$/.test(token)) return value
    return String(value) === token ? value : BigInt(token)
  }

  const value = (depth: number): unknown => {
    skipSpace()
    if (depth > maxDepth) throw new Misread(`nested deeper than ${maxDepth}`, at)
    const char = text.charAt(at)
    if (char === '"') return string()
    if (char === '{') return object(depth)
    if (char === '[') return array(depth)
    wordPattern.lastIndex = at
    const word = wordPattern.exec(text)?.[0]
    if (word !== undefined && words.has(word)) {
      at += word.length
      return words.get(word)
    }
    return number()
  }

  const object = (depth: number): unknown => {
    expect('{')
    const entries: [string, unknown][] = []
    skipSpace()
    while (text.charAt(at) !== '}') {
      if (entries.length > 0) expect(',')
      skipSpace()
      const key = string()
      skipSpace()
      expect(':')
      entries.push([key, value(depth + 1)])
      skipSpace()
    }
    at++
    return Object.fromEntries(entries)
  }

  const array = (depth: number): unknown[] => {
    expect('[')
    const items: unknown[] = []
    skipSpace()
    while (text.charAt(at) !== ']') {
      if (items.length > 0) expect(',')
      items.push(value(depth + 1))
      skipSpace()
    }
    at++
    return items
  }

  try {
    const whole = value(1)
    skipSpace()
    if (at < text.length) throw unexpected(text, at, 'wanted the end')
    return { ok: true, value: whole }
  } catch (error) {
    if (error instanceof Misread) return { ok: false, what: error.message, offset: error.offset }
    throw error
  }
}

const numberPattern = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y
const wordPattern = /-?[A-Za-z]+/y

/** Inner signal of the careful reader, never seen outside. */
class Misread extends Error {
  readonly offset: number

  constructor(what: string, offset: number) {
    super(what)
    this.offset = offset
  }
}

function unexpected(text: string, at: number, wanted?: string): Misread {
  const seen = at >= text.length ? 'ends early' : `unexpected ${JSON.stringify(text.charAt(at))}`
  return new Misread(wanted === undefined ? seen : `${seen}, ${wanted}`, at)
}
