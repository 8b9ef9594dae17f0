/** A file that appears whole or not at all: written under a temporary name beside it, synced, then renamed. */
import { randomBytes } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fault } from '#core'

export interface AtomicFile {
  write(bytes: Uint8Array, position: number): Promise<void>
  /** Syncs and gives the file its name. */
  commit(): Promise<void>
  /** Removes what was written; does nothing after `commit`. */
  abort(): Promise<void>
}

/** Starts a file; the folder must exist. Every failure is `file.write`, and leaves nothing behind. */
export async function createAtomicFile(path: string): Promise<AtomicFile> {
  const temporary = `${path}.${process.pid}-${randomBytes(6).toString('hex')}.tmp`
  const handle = await open(temporary, 'wx').catch((error: unknown) => {
    throw writeFault(error, path)
  })

  return {
    write: (bytes, position) =>
      guard(async () => {
        let done = 0
        while (done < bytes.length) done += (await handle.write(bytes, done, Math.min(bytes.length - done, LARGEST_WRITE), position + done)).bytesWritten
      }),
    commit: () =>
      guard(async () => {
        await handle.sync()
        await handle.close()
        await rename(temporary, path)
        await syncFolder(dirname(path))
      }),
    abort,
  }

  async function abort(): Promise<void> {
    await handle.close().catch(() => undefined)
    await rm(temporary, { force: true })
  }

  async function guard(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      await abort().catch(() => undefined)
      throw writeFault(error, path)
    }
  }
}

function writeFault(error: unknown, path: string): Error {
  const seen = error instanceof Error && 'code' in error ? String(error.code) : undefined
  return fault('file.write', { place: path, what: 'cannot be written', seen, hint: 'check that the folder exists, may be written and has room', cause: error })
}

/** One system call moves at most 2 GiB. */
const LARGEST_WRITE = 2 ** 30

/** Makes the new name durable; not every system lets a folder be synced, and the file is complete without. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r').catch(() => undefined)
  await folder?.sync().catch(() => undefined)
  await folder?.close()
}
