/** Files that appear whole or not at all: written beside their place under a temporary name, synced, renamed. Several writers at once: the last one wins. */
import { randomBytes } from 'node:crypto'
import { mkdir, open, rename, rm, type FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import { asFault, Fault, fault } from '#core'

/** Ending of every file that is not finished; what a killed process leaves bears it. */
export const temporaryEnding = '.tmp'

/** A name beside `path` that no other writer has. */
export function temporaryPath(path: string): string {
  return `${path}.${process.pid}-${randomBytes(6).toString('hex')}${temporaryEnding}`
}

/** Opens a file for writing, with its folders; throws `file.write`. */
export async function openForWriting(path: string): Promise<FileHandle> {
  try {
    await mkdir(dirname(path), { recursive: true })
    return await open(path, 'wx')
  } catch (error) {
    throw writeFault(error, path)
  }
}

/** Gives a finished temporary file its name, after its bytes are on the disk. */
export async function putInPlace(temporary: string, path: string): Promise<void> {
  try {
    await sync(temporary)
    await rename(temporary, path)
    await sync(dirname(path)).catch(() => undefined) // some systems do not sync folders
  } catch (error) {
    throw writeFault(error, path)
  }
}

/** Writes a small file whole; throws `file.write`. */
export async function writeWhole(path: string, content: string | Uint8Array): Promise<void> {
  const temporary = temporaryPath(path)
  const handle = await openForWriting(temporary)
  try {
    await handle.writeFile(content)
    await handle.close()
    await putInPlace(temporary, path)
  } catch (error) {
    await handle.close().catch(() => undefined)
    await rm(temporary, { force: true })
    throw error instanceof Fault ? error : writeFault(error, path)
  }
}

export function writeFault(error: unknown, path: string): Fault {
  const { code } = error as { code?: string }
  if (code === 'ENOSPC') return fault('file.write', { place: path, what: 'the disk is full', cause: error })
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return fault('file.write', { place: path, what: 'may not be written', cause: error })
  return asFault(error, 'file.write', path)
}

async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
