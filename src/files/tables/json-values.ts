/**
 * A JSON document in pieces → the texts of its rows: the elements of one array, or objects one after the other. Memory
 * holds one row, not the document.
 */
import { fault } from '#core'
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
  const splitter = valueSplitter(place)
  for await (const piece of pieces) yield* splitter.push(piece)
  splitter.end()
}

function valueSplitter(place: string) {
  let kind: 'unknown' | 'array' | 'sequence' | 'closed' = 'unknown'
  let depth = 0
  let inString = false
  let escaped = false
  let afterComma = false
  let line = 1
  let lineStart = 0 // offset in the whole text
  let before = 0 // characters of earlier pieces
  let value = '' // of the current row, from earlier pieces
  let begin: { line: number; column: number } | undefined
  let start = 0 // of the current row in this piece
  let texts: ValueText[] = []

  const broken = (what: string) => fault('table.read', { place: `${place}:${line}`, what: `not JSON rows: ${what}` })

  const beginValue = (at: number): void => {
    start = at
    begin = { line, column: before + at - lineStart + 1 }
  }
  const endValue = (piece: string, at: number): void => {
    if (begin !== undefined) texts.push({ text: value + piece.slice(start, at), ...begin })
    else if (afterComma) throw broken('a comma without a value')
    value = ''
    begin = undefined
  }

  const arrayChar = (char: string, piece: string, at: number): void => {
    if (depth === 1 && char === ',') {
      if (begin === undefined) throw broken('a comma without a value')
      endValue(piece, at)
      afterComma = true
      return
    }
    if (depth === 1 && char === ']') {
      endValue(piece, at)
      kind = 'closed'
      return
    }
    if (depth === 1 && begin === undefined) beginValue(at)
    nest(char)
  }
  const sequenceChar = (char: string, piece: string, at: number): void => {
    if (depth === 0) {
      if (char !== '{') throw broken('neither an array nor an object')
      beginValue(at)
    }
    nest(char)
    if (depth === 0) endValue(piece, at + 1)
  }
  const nest = (char: string): void => {
    if (char === '"') inString = true
    else if (char === '{' || char === '[') depth++
    else if (char === '}' || char === ']') depth--
  }
  const stringChar = (char: string): void => {
    if (escaped) escaped = false
    else if (char === '\\') escaped = true
    else if (char === '"') inString = false
  }

  return {
    push(piece: string): ValueText[] {
      texts = []
      start = 0
      for (let at = 0; at < piece.length; at++) {
        const char = piece.charAt(at)
        if (char === '\n') {
          line++
          lineStart = before + at + 1
        }
        if (inString) stringChar(char)
        else if (isSpace(char)) continue
        else if (kind === 'array') arrayChar(char, piece, at)
        else if (kind === 'sequence') sequenceChar(char, piece, at)
        else if (kind === 'closed') throw broken('more text after the array')
        else if (char === '[') {
          kind = 'array'
          depth = 1
        } else {
          kind = 'sequence'
          sequenceChar(char, piece, at)
        }
      }
      if (begin !== undefined) value += piece.slice(start)
      if (value.length > maxTextLength)
        throw fault('format.limit', {
          place,
          what: `the row at line ${line} is too long`,
          wanted: `at most ${maxTextLength} characters`,
        })
      before += piece.length
      return texts
    },
    end(): void {
      if (kind === 'array' || begin !== undefined) throw broken('the document ends early')
    },
  }
}

function isSpace(char: string): boolean {
  return char === ' ' || char === '\n' || char === '\t' || char === '\r'
}
