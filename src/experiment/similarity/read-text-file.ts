/** Text files of this room, with the fault of one that cannot be read. */
import { readFile } from 'node:fs/promises'
import { fault } from '#core'

/** Throws `file.missing`. */
export async function readTextFile(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((cause: unknown) => {
    throw fault('file.missing', { place: path, what: 'the file cannot be read', cause })
  })
}
