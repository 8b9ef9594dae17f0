/** A local file read by range. Every reader of the room stands on this. */
import { constants } from 'node:buffer'
import type { BigIntStats } from 'node:fs'
import { open, realpath, stat, type FileHandle } from 'node:fs/promises'
import { fault } from '#core'
import { contentHash, readInto } from '#platform/disk'

export interface ByteFile {
  /** For messages: the path as given, or the name it has in its repository. */
  readonly path: string
  /** Links resolved. */
  readonly realPath: string
  readonly size: number
  /** Exactly `length` bytes in a buffer of their own, so that typed arrays can lie over them. */
  read(offset: number, length: number): Promise<Uint8Array>
  /** Hex SHA-256 of the whole file. */
  contentHash(): Promise<string>
  close(): Promise<void>
}

/** Opens a regular file; `file.missing`, `file.unreadable`. */
export async function openByteFile(location: string, path: string): Promise<ByteFile> {
  const { handle, realPath, stats } = await openRegular(location, path)
  const size = Number(stats.size)
  return {
    path,
    realPath,
    size,
    read: (offset, length) => readExactly(handle, path, size, offset, length),
    contentHash: () => contentHash(path, realPath, stats),
    close: () => handle.close(),
  }
}

async function openRegular(
  location: string,
  path: string,
): Promise<{ handle: FileHandle; realPath: string; stats: BigIntStats }> {
  try {
    const realPath = await realpath(location)
    // Before opening: a pipe or device could block for ever.
    if (!(await stat(realPath)).isFile()) throw fault('file.unreadable', { place: path, what: 'not a regular file' })
    const handle = await open(realPath, 'r')
    return { handle, realPath, stats: await handle.stat({ bigint: true }) }
  } catch (error) {
    throw fileFault(error, path)
  }
}

async function readExactly(
  handle: FileHandle,
  path: string,
  size: number,
  offset: number,
  length: number,
): Promise<Uint8Array> {
  if (!(offset >= 0 && length >= 0 && offset + length <= size)) {
    throw fault('internal', {
      place: path,
      what: 'range outside the file',
      seen: [offset, length],
      wanted: `within ${size}`,
    })
  }
  if (length > constants.MAX_LENGTH)
    throw fault('format.limit', {
      place: path,
      what: 'more bytes than one buffer holds',
      seen: length,
      wanted: constants.MAX_LENGTH,
    })
  const bytes = new Uint8Array(length)
  const done = await readInto(handle, bytes, offset).catch((error: unknown) => {
    throw fileFault(error, path)
  })
  if (done === length) return bytes
  throw fault('file.unreadable', {
    place: path,
    what: 'file became shorter while it was read',
    seen: offset + done,
    wanted: size,
  })
}

/** A system error as a fault: `file.missing` when nothing is there, `file.unreadable` otherwise. Faults pass. */
export function fileFault(error: unknown, place: string): Error {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string' || error.name === 'Fault')
    return error as Error
  const missing = error.code === 'ENOENT' || error.code === 'ENOTDIR'
  return fault(missing ? 'file.missing' : 'file.unreadable', {
    place,
    what: missing ? 'no such file' : 'cannot be read',
    seen: error.code,
    cause: error,
  })
}
