/** Text in pieces → lines. Only the line feed ends a line: U+2028, U+0085 and a lone carriage return are text. */
import { fault } from '#core'
import { maxTextLength } from './text-file.ts'

export interface Lines {
  /** Number of the first line, from 1. */
  readonly first: number
  readonly lines: readonly string[]
}

/**
 * Groups of lines without their ends (`\n` or `\r\n`); a last line without one counts, nothing after the last one does
 * not.
 */
export async function* linesOf(pieces: AsyncIterable<string>, place: string): AsyncGenerator<Lines> {
  let first = 1
  let rest = ''
  for await (const piece of pieces) {
    const lines: string[] = []
    let start = 0
    for (let end = piece.indexOf('\n'); end >= 0; end = piece.indexOf('\n', start)) {
      lines.push(withoutReturn(rest + piece.slice(start, end)))
      rest = ''
      start = end + 1
    }
    rest += piece.slice(start)
    if (rest.length > maxTextLength)
      throw fault('format.limit', {
        place,
        what: `line ${first + lines.length} is too long for text`,
        wanted: `at most ${maxTextLength} characters`,
      })
    if (lines.length > 0) yield { first, lines }
    first += lines.length
  }
  if (rest !== '') yield { first, lines: [withoutReturn(rest)] }
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line
}
