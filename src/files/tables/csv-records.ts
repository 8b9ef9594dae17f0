/**
 * Separated values (RFC 4180) in pieces → records. A state machine over pieces, so that a field may be as long as it
 * likes without being looked at twice.
 */
import { fault } from '#core'
import { maxTextLength } from './text-file.ts'

export interface CsvRecord {
  readonly fields: readonly string[]
  /** Where it begins, from 1. */
  readonly line: number
  /** An empty line. */
  readonly blank: boolean
}

/** One character each; without a quote, quotes are text. */
export interface CsvMarks {
  readonly separator: string
  readonly quote: string | undefined
}

/**
 * Groups of records, one group a piece. Line ends of any kind; quotes are doubled inside quotes. Throws `table.read`,
 * `format.limit`.
 */
export async function* csvRecords(
  pieces: AsyncIterable<string>,
  marks: CsvMarks,
  place: string,
): AsyncGenerator<CsvRecord[]> {
  const splitter = newSplitter(marks, place)
  for await (const piece of pieces) {
    const records = recordsOf(splitter, piece)
    if (records.length > 0) yield records
  }
  const rest = lastRecord(splitter)
  if (rest.length > 0) yield rest
}

/**
 * `start` of a field, in a `plain` one, in a `quoted` one, after a quote that may be `closing`, after a `return` that
 * ended a record.
 */
type State = 'start' | 'plain' | 'quoted' | 'closing' | 'return'

interface Splitter {
  readonly marks: CsvMarks
  readonly place: string
  /** A separator or a line end. */
  readonly plainEnd: RegExp
  state: State
  fields: string[]
  field: string
  /** Quoted fields of this record. */
  quotes: number
  line: number
  /** First line of this record. */
  firstLine: number
  /** Offset in the whole text. */
  lineStart: number
  /** Characters of earlier pieces. */
  before: number
  records: CsvRecord[]
}

function newSplitter(marks: CsvMarks, place: string): Splitter {
  const plainEnd = new RegExp(`[\\n\\r${marks.separator.replace(/[\]\\^-]/, '\\$&')}]`, 'gu')
  return {
    marks,
    place,
    plainEnd,
    state: 'start',
    fields: [],
    field: '',
    quotes: 0,
    line: 1,
    firstLine: 1,
    lineStart: 0,
    before: 0,
    records: [],
  }
}

function recordsOf(splitter: Splitter, piece: string): CsvRecord[] {
  for (let i = 0; i < piece.length;) i = steps[splitter.state](splitter, piece, i)
  splitter.before += piece.length
  if (splitter.field.length > maxTextLength)
    throw fault('format.limit', {
      place: `${splitter.place}:${splitter.firstLine}`,
      what: 'field is too long',
      wanted: `at most ${maxTextLength} characters`,
    })
  return taken(splitter)
}

function lastRecord(splitter: Splitter): CsvRecord[] {
  const { state, fields, field, quotes, place, firstLine } = splitter
  if (state === 'quoted')
    throw fault('table.read', {
      place: `${place}:${firstLine}`,
      what: 'a quote is opened in this row and never closed',
    })
  if (fields.length > 0 || field !== '' || quotes > 0) endRecord(splitter)
  return taken(splitter)
}

function taken(splitter: Splitter): CsvRecord[] {
  const all = splitter.records
  splitter.records = []
  return all
}

/** Reads from `i`; returns the index to continue from. */
type Step = (splitter: Splitter, piece: string, i: number) => number

const steps: Readonly<Record<State, Step>> = { start, plain, quoted, closing, return: afterReturn }

function start(splitter: Splitter, piece: string, i: number): number {
  const { quote } = splitter.marks
  if (quote === undefined || piece.charAt(i) !== quote) return plain(splitter, piece, i)
  splitter.state = 'quoted'
  splitter.quotes++
  return i + 1
}

/** Up to a separator or line end. */
function plain(splitter: Splitter, piece: string, i: number): number {
  const { plainEnd } = splitter
  plainEnd.lastIndex = i
  const end = plainEnd.exec(piece)?.index ?? piece.length
  splitter.field += piece.slice(i, end)
  splitter.state = 'plain'
  const char = piece.charAt(end)
  if (char === splitter.marks.separator) endField(splitter)
  else if (char !== '') {
    endRecord(splitter)
    newLine(splitter, end)
    splitter.firstLine = splitter.line
    if (char === '\r') splitter.state = 'return'
  }
  return end + 1
}

function quoted(splitter: Splitter, piece: string, i: number): number {
  const quote = piece.indexOf(splitter.marks.quote ?? '"', i)
  const stop = quote < 0 ? piece.length : quote
  for (let at = piece.indexOf('\n', i); at >= 0 && at < stop; at = piece.indexOf('\n', at + 1)) newLine(splitter, at)
  splitter.field += piece.slice(i, stop)
  if (quote >= 0) splitter.state = 'closing'
  return stop + 1
}

function closing(splitter: Splitter, piece: string, i: number): number {
  const { marks, place, line, before, lineStart } = splitter
  const char = piece.charAt(i)
  if (char === marks.quote) {
    splitter.field += char
    splitter.state = 'quoted'
    return i + 1
  }
  if (char === marks.separator || char === '\n' || char === '\r') return plain(splitter, piece, i)
  throw fault('table.read', {
    place: `${place}:${line}:${before + i - lineStart + 1}`,
    what: 'text after a closing quote',
    seen: piece.slice(i, i + 40),
    hint: 'a quote inside a quoted field is written twice; a field that begins with a quote is quoted as a whole',
  })
}

function afterReturn(splitter: Splitter, piece: string, i: number): number {
  const next = piece.charAt(i) === '\n' ? i + 1 : i
  splitter.lineStart = splitter.before + next
  splitter.state = 'start'
  return next
}

function endField(splitter: Splitter): void {
  splitter.fields.push(splitter.field)
  splitter.field = ''
  splitter.state = 'start'
}

function endRecord(splitter: Splitter): void {
  endField(splitter)
  const { fields, firstLine, quotes } = splitter
  splitter.records.push({
    fields,
    line: firstLine,
    blank: fields.length === 1 && fields[0] === '' && quotes === 0,
  })
  splitter.fields = []
  splitter.quotes = 0
}

function newLine(splitter: Splitter, at: number): void {
  splitter.line++
  splitter.lineStart = splitter.before + at + 1
}
