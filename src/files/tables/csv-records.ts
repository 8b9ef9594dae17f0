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
  const splitter = recordSplitter(marks, place)
  for await (const piece of pieces) {
    const records = splitter.push(piece)
    if (records.length > 0) yield records
  }
  const rest = splitter.end()
  if (rest.length > 0) yield rest
}

/**
 * `start` of a field, in a `plain` one, in a `quoted` one, after a quote that may be `closing`, after a `return` that
 * ended a record.
 */
type State = 'start' | 'plain' | 'quoted' | 'closing' | 'return'

function recordSplitter({ separator, quote: mark }: CsvMarks, place: string) {
  const plainEnd = new RegExp(`[\\n\\r${separator.replace(/[\]\\^-]/, '\\$&')}]`, 'gu')
  let state: State = 'start'
  let fields: string[] = []
  let field = ''
  let quotes = 0 // quoted fields of this record
  let line = 1
  let firstLine = 1 // of this record
  let lineStart = 0 // offset in the whole text
  let before = 0 // characters of earlier pieces
  let records: CsvRecord[] = []

  const endField = (): void => {
    fields.push(field)
    field = ''
    state = 'start'
  }
  const endRecord = (): void => {
    endField()
    records.push({ fields, line: firstLine, blank: fields.length === 1 && fields[0] === '' && quotes === 0 })
    fields = []
    quotes = 0
  }
  const newLine = (at: number): void => {
    line++
    lineStart = before + at + 1
  }

  /** Reads text up to a separator or line end from `i`; returns where to continue. */
  const plain = (piece: string, i: number): number => {
    plainEnd.lastIndex = i
    const end = plainEnd.exec(piece)?.index ?? piece.length
    field += piece.slice(i, end)
    state = 'plain'
    const char = piece.charAt(end)
    if (char === separator) endField()
    else if (char !== '') {
      endRecord()
      newLine(end)
      firstLine = line
      if (char === '\r') state = 'return'
    }
    return end + 1
  }

  const steps: Readonly<Record<State, (piece: string, i: number) => number>> = {
    start(piece, i) {
      if (mark === undefined || piece.charAt(i) !== mark) return plain(piece, i)
      state = 'quoted'
      quotes++
      return i + 1
    },
    plain,
    quoted(piece, i) {
      const quote = piece.indexOf(mark ?? '"', i)
      const stop = quote < 0 ? piece.length : quote
      for (let at = piece.indexOf('\n', i); at >= 0 && at < stop; at = piece.indexOf('\n', at + 1)) newLine(at)
      field += piece.slice(i, stop)
      if (quote >= 0) state = 'closing'
      return stop + 1
    },
    closing(piece, i) {
      const char = piece.charAt(i)
      if (char === mark) {
        field += char
        state = 'quoted'
        return i + 1
      }
      if (char === separator || char === '\n' || char === '\r') return plain(piece, i)
      throw fault('table.read', {
        place: `${place}:${line}:${before + i - lineStart + 1}`,
        what: 'text after a closing quote',
        seen: piece.slice(i, i + 40),
        hint: 'a quote inside a quoted field is written twice; a field that begins with a quote is quoted as a whole',
      })
    },
    return(piece, i) {
      const next = piece.charAt(i) === '\n' ? i + 1 : i
      lineStart = before + next
      state = 'start'
      return next
    },
  }

  const taken = (): CsvRecord[] => {
    const all = records
    records = []
    return all
  }

  return {
    push(piece: string): CsvRecord[] {
      for (let i = 0; i < piece.length;) i = steps[state](piece, i)
      before += piece.length
      if (field.length > maxTextLength)
        throw fault('format.limit', {
          place: `${place}:${firstLine}`,
          what: 'field is too long',
          wanted: `at most ${maxTextLength} characters`,
        })
      return taken()
    },
    end(): CsvRecord[] {
      if (state === 'quoted')
        throw fault('table.read', {
          place: `${place}:${firstLine}`,
          what: 'a quote is opened in this row and never closed',
        })
      if (fields.length > 0 || field !== '' || quotes > 0) endRecord()
      return taken()
    },
  }
}
