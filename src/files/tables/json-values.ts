/**
 * A JSON document in pieces → the texts of its rows: the elements of one array, or objects one after the other. Memory
 * holds one row, not the document.
 */
import { type Fault, fault } from '#core'
import { maxTextLength } from './text-file.ts'

export interface ValueText {
  readonly text: string
  /** Where it begins, from 1. */
  readonly line: number
  readonly column: number
}

/**
 * Only brackets, strings and commas are looked at; whether a value is JSON its parser says. Throws `table.read` where
 * the frame itself is broken.
 */
export async function* valuesOf(pieces: AsyncIterable<string>, place: string): AsyncGenerator<ValueText> {
  const splitter = newSplitter(place)
  for await (const piece of pieces) yield* textsOf(splitter, piece)
  if (splitter.kind === 'array' || splitter.begin !== undefined) throw broken(splitter, 'the document ends early')
}

const [NEW_LINE, QUOTE, BACKSLASH, COMMA] = [0x0a, 0x22, 0x5c, 0x2c] as const
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d] as const

interface Splitter {
  readonly place: string
  kind: 'unknown' | 'array' | 'sequence' | 'closed'
  depth: number
  inString: boolean
  escaped: boolean
  afterComma: boolean
  line: number
  /** Offset in the whole text. */
  lineStart: number
  /** Characters of earlier pieces. */
  before: number
  /** Text of the current row from earlier pieces. */
  value: string
  begin: { readonly line: number; readonly column: number } | undefined
  /** Start of the current row in this piece. */
  start: number
  texts: ValueText[]
}

function newSplitter(place: string): Splitter {
  return {
    place,
    kind: 'unknown',
    depth: 0,
    inString: false,
    escaped: false,
    afterComma: false,
    line: 1,
    lineStart: 0,
    before: 0,
    value: '',
    begin: undefined,
    start: 0,
    texts: [],
  }
}

/** Texts of the rows that end in a piece. */
function textsOf(splitter: Splitter, piece: string): ValueText[] {
  splitter.texts = []
  splitter.start = 0
  for (let at = 0; at < piece.length; at++) {
    if (splitter.inString) {
      at = stringEnd(splitter, piece, at)
      continue
    }
    const code = piece.charCodeAt(at)
    if (code === NEW_LINE) newLine(splitter, at)
    // within a row only these change what comes next
    if (splitter.begin === undefined ? !isSpace(code) : isMark(code)) outside(splitter, code, piece, at)
  }
  if (splitter.begin !== undefined) splitter.value += piece.slice(splitter.start)
  if (splitter.value.length > maxTextLength)
    throw fault('format.limit', {
      place: splitter.place,
      what: `the row at line ${splitter.line} is too long`,
      wanted: `at most ${maxTextLength} characters`,
    })
  splitter.before += piece.length
  return splitter.texts
}

function outside(splitter: Splitter, code: number, piece: string, at: number): void {
  if (splitter.kind === 'array') inArray(splitter, code, piece, at)
  else if (splitter.kind === 'sequence') inSequence(splitter, code, piece, at)
  else if (splitter.kind === 'closed') throw broken(splitter, 'more text after the array')
  else if (code === OPEN_BRACKET) {
    splitter.kind = 'array'
    splitter.depth = 1
  } else {
    splitter.kind = 'sequence'
    inSequence(splitter, code, piece, at)
  }
}

function inArray(splitter: Splitter, code: number, piece: string, at: number): void {
  if (splitter.depth === 1 && code === COMMA) {
    if (splitter.begin === undefined) throw broken(splitter, 'a comma without a value')
    endValue(splitter, piece, at)
    splitter.afterComma = true
    return
  }
  if (splitter.depth === 1 && code === CLOSE_BRACKET) {
    endValue(splitter, piece, at)
    splitter.kind = 'closed'
    return
  }
  if (splitter.depth === 1 && splitter.begin === undefined) beginValue(splitter, at)
  nest(splitter, code)
}

function inSequence(splitter: Splitter, code: number, piece: string, at: number): void {
  if (splitter.depth === 0) {
    if (code !== OPEN_BRACE) throw broken(splitter, 'neither an array nor an object')
    beginValue(splitter, at)
  }
  nest(splitter, code)
  if (splitter.depth === 0) endValue(splitter, piece, at + 1)
}

function beginValue(splitter: Splitter, at: number): void {
  splitter.start = at
  splitter.begin = { line: splitter.line, column: splitter.before + at - splitter.lineStart + 1 }
}

function endValue(splitter: Splitter, piece: string, at: number): void {
  const { begin, start, value, texts, afterComma } = splitter
  if (begin !== undefined) texts.push({ text: value + piece.slice(start, at), ...begin })
  else if (afterComma) throw broken(splitter, 'a comma without a value')
  splitter.value = ''
  splitter.begin = undefined
}

function nest(splitter: Splitter, code: number): void {
  if (code === QUOTE) splitter.inString = true
  else if (code === OPEN_BRACE || code === OPEN_BRACKET) splitter.depth++
  else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) splitter.depth--
}

/** Reads inside a string from `from` on; returns where its quote stands, or the length of the piece. */
function stringEnd(splitter: Splitter, piece: string, from: number): number {
  let { escaped } = splitter
  for (let at = from; at < piece.length; at++) {
    const code = piece.charCodeAt(at)
    if (code === NEW_LINE) newLine(splitter, at)
    if (escaped) escaped = false
    else if (code === BACKSLASH) escaped = true
    else if (code === QUOTE) {
      splitter.inString = splitter.escaped = false
      return at
    }
  }
  splitter.escaped = escaped
  return piece.length
}

function newLine(splitter: Splitter, at: number): void {
  splitter.line++
  splitter.lineStart = splitter.before + at + 1
}

function broken({ place, line }: Splitter, what: string): Fault {
  return fault('table.read', { place: `${place}:${line}`, what: `not JSON rows: ${what}` })
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === NEW_LINE || code === 0x09 || code === 0x0d
}

function isMark(code: number): boolean {
  return (
    code === QUOTE ||
    code === COMMA ||
    code === OPEN_BRACE ||
    code === CLOSE_BRACE ||
    code === OPEN_BRACKET ||
    code === CLOSE_BRACKET
  )
}
