/**
 * Files that appear whole or not at all: written next to their place under a temporary name, synced, renamed. Several
 * writers at once: the last one wins.
 */
import { randomBytes } from 'node:crypto'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { syncFolder } from './sync-folder.ts'
import { writeAt } from './write-at.ts'
import { makeFolder, orWriteFault, writeFault } from './write-fault.ts'

/** Ending of every file that is not finished; what a killed process leaves bears it. */
export const temporaryEnding = '.tmp'

/** A name next to `path` that no other writer has. */
export function temporaryPath(path: string): string {
  return `${path}.${process.pid}-${randomBytes(6).toString('hex')}${temporaryEnding}`
}

/** Every failure is `file.write`, and leaves nothing behind. */
export interface WholeFile {
  /** Where the bytes lie until then. */
  readonly temporary: string
  /** At a position, by default after everything written so far. */
  write(bytes: Uint8Array, position?: number): Promise<void>
  /** Syncs and gives the file its name. */
  commit(): Promise<void>
  /** Removes the temporary file; does nothing after `commit`. */
  abort(): Promise<void>
}

export interface WholeFileOptions {
  temporary?: string | undefined
  /** Permissions, for a file that is its owner's alone. */
  mode?: number | undefined
  /** Makes the folders above the file. */
  folders?: boolean | undefined
}

export async function createWholeFile(
  path: string,
  { temporary = temporaryPath(path), mode = 0o666, folders = true }: WholeFileOptions = {},
): Promise<WholeFile> {
  if (folders) await makeFolder(dirname(path))
  const handle = await orWriteFault(open(temporary, 'wx', mode), path)
  let end = 0

  const abort = async (): Promise<void> => {
    await handle.close().catch(() => undefined)
    await rm(temporary, { force: true })
  }
  const guard = async (work: Promise<void>): Promise<void> => {
    try {
      await work
    } catch (error) {
      await abort().catch(() => undefined)
      throw writeFault(error, path)
    }
  }
  return {
    temporary,
    write(bytes, position = end) {
      end = Math.max(end, position + bytes.length)
      return guard(writeAt(handle, bytes, position, path))
    },
    commit: () => guard(synced(handle).then(() => moveTo(temporary, path))),
    abort,
  }
}

/** Writes a small file whole. Throws `file.write`. */
export async function writeWhole(
  path: string,
  content: string | Uint8Array,
  options?: WholeFileOptions,
): Promise<void> {
  const file = await createWholeFile(path, options)
  await file.write(typeof content === 'string' ? Buffer.from(content) : content)
  await file.commit()
}

/**
 * Gives a file that another program or call has written its name, after its bytes are on the disk. Throws `file.write`.
 */
export async function putInPlace(temporary: string, path: string): Promise<void> {
  await orWriteFault(
    open(temporary, 'r')
      .then(synced)
      .then(() => moveTo(temporary, path)),
    path,
  )
}

async function synced(handle: FileHandle): Promise<void> {
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function moveTo(temporary: string, path: string): Promise<void> {
  await rename(temporary, path)
  await syncFolder(dirname(path))
}
