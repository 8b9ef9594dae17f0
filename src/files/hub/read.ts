/** Whole small files of a repository, bounded: configs, vocabularies, indexes. Weights are read by range elsewhere. */
import { open } from 'node:fs/promises'
import { type RepoFiles, fault } from '#core'
import { readInto, systemCode } from '#platform/disk'

const defaultLimit = 64 * 2 ** 20

/** Bytes of a file; throws `format.limit` beyond `limit` bytes, `file.unreadable` when the system refuses. */
export async function readBytes(files: RepoFiles, path: string, limit = defaultLimit): Promise<Uint8Array> {
  const local = await files.local(path)
  const place = `${files.name} › ${path}`
  try {
    const handle = await open(local, 'r')
    try {
      const { size } = await handle.stat()
      if (size > limit)
        throw fault('format.limit', {
          place,
          what: 'the file is too large for its kind',
          seen: `${size} bytes`,
          wanted: `at most ${limit}`,
        })
      const bytes = new Uint8Array(size) // exactly the measured size: a file may grow, or have no end
      return bytes.subarray(0, await readInto(handle, bytes, 0))
    } finally {
      await handle.close()
    }
  } catch (error) {
    const seen = systemCode(error)
    if (seen === undefined) throw error
    throw fault('file.unreadable', { place, what: 'the file cannot be read', seen, cause: error })
  }
}

/** The same as text; throws `file.unreadable` when it is not UTF-8. */
export async function readText(files: RepoFiles, path: string, limit?: number): Promise<string> {
  const bytes = await readBytes(files, path, limit)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw fault('file.unreadable', { place: `${files.name} › ${path}`, what: 'not UTF-8 text', cause })
  }
}
