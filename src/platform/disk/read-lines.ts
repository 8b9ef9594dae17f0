/** Lines of a file of any size and any content. */
import { open } from 'node:fs/promises'
import { asFault } from '#core'

export interface Line {
  /** Undefined: longer than any line that is meant to be read. */
  readonly text: string | undefined
  /** Whether a line break follows. */
  readonly ended: boolean
  /** Place of its first byte. */
  readonly start: number
}

const pieceBytes = 2 ** 20
/** Below the longest string there is. */
const longest = 2 ** 28
const lineBreak = 0x0a

/** Throws `file.unreadable`. */
export async function* readLines(path: string): AsyncGenerator<Line> {
  const file = await open(path, 'r').catch((error: unknown) => {
    throw asFault(error, 'file.unreadable', path)
  })
  try {
    let [parts, length, start] = [[] as Buffer[], 0, 0]
    const add = (part: Buffer): void => {
      length += part.length
      if (length <= longest) parts.push(part)
      else parts = []
    }
    const line = (ended: boolean): Line => {
      const whole = { text: length <= longest ? Buffer.concat(parts).toString() : undefined, ended, start }
      ;[parts, length, start] = [[], 0, start + length + 1]
      return whole
    }
    for (;;) {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(pieceBytes), 0, pieceBytes).catch((error: unknown) => {
        throw asFault(error, 'file.unreadable', path)
      })
      if (bytesRead === 0) break
      let from = 0
      const piece = buffer.subarray(0, bytesRead)
      for (let at = piece.indexOf(lineBreak); at >= 0; at = piece.indexOf(lineBreak, from)) {
        add(piece.subarray(from, at))
        yield line(true)
        from = at + 1
      }
      if (from < bytesRead) add(piece.subarray(from))
    }
    if (length > 0) yield line(false)
  } finally {
    await file.close()
  }
}
