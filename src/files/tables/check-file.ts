/** Faults of a file that cannot be read, found before a reader opens it. */
import { stat } from 'node:fs/promises'
import { fault, type Fault } from '#core'
import type { TableFile } from './table-format.ts'

/** Throws `table.read` unless the path is a file (or a pipe) that may hold something. */
export async function checkFile({ path, place, packing }: TableFile): Promise<void> {
  const facts = await stat(path).catch((error: unknown) => {
    throw readFault(error, place)
  })
  if (!facts.isFile() && facts.isDirectory()) throw fault('table.read', { place, what: 'a folder, not a file' })
  if (packing !== 'none' && facts.isFile() && facts.size === 0)
    throw fault('table.read', { place, what: `empty, not a ${packing} file` })
}

/** The pointer that git-lfs leaves where a large file was not fetched. */
export function pointer(place: string): Fault {
  return fault('format.lfs', {
    place,
    what: 'a pointer left by git-lfs, not the file itself',
    hint: 'fetch it with git lfs pull, or download it from the hub',
  })
}

/** Any error of a file or stream as `table.read`, on one line. */
export function readFault(error: unknown, place: string): Fault {
  return fault('table.read', { place, what: readTrouble(error), cause: error })
}

function readTrouble(error: unknown): string {
  const { code, message } = error as { code?: string; message?: string }
  switch (code ?? '') {
    case 'ENOENT':
      return 'no such file'
    case 'EACCES':
    case 'EPERM':
      return 'may not be read'
    case 'Z_BUF_ERROR':
      return 'the gzip stream ends early: the file was cut'
    case 'Z_DATA_ERROR':
      return `not a whole gzip file (${message ?? ''})`
    default:
      return (message ?? String(error)).split('\n', 1)[0] || 'cannot be read'
  }
}
