/** The text of a small file among a hundred thousand: few calls, and nobody waits for the writer of a pipe. */
import { closeSync, constants, fstatSync, openSync, readFileSync, readSync } from 'node:fs'
import { fault } from '#core'

/** Larger files are not results. */
const maxBytes = 64 * 1024 * 1024

/** Results are a few kilobytes: four calls each. */
const room = Buffer.allocUnsafeSlow(64 * 1024)

/** Throws `result.invalid` for a file that is too large, and what the system throws. */
export function readText(path: string): string {
  // a pipe of that name would block until somebody writes to it
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  try {
    let length = 0
    for (let read = -1; read !== 0 && length < room.length; length += read)
      read = readSync(file, room, length, room.length - length, null)
    if (length < room.length) return room.toString('utf8', 0, length)
    const { size } = fstatSync(file)
    if (size > maxBytes)
      throw fault('result.invalid', {
        place: path,
        what: 'too large for a result',
        seen: `${size} bytes`,
        wanted: `at most ${maxBytes}`,
      })
    return readFileSync(path, 'utf8')
  } finally {
    closeSync(file)
  }
}
