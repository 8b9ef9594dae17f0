/**
 * A folder that appears whole: made under a temporary name next to its own, by one process at a time, and renamed when
 * it is complete.
 */
import { randomBytes } from 'node:crypto'
import { open, readdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { fault } from '#core'
import { journalName } from './journal.ts'
import { type Lock, type LockHolder, takeLock } from './lock.ts'
import { syncFolder } from './sync-folder.ts'
import { systemCode } from './system-code.ts'
import { makeFolder, orWriteFault } from './write-fault.ts'

export interface OutputFolder {
  /** Where to write until then. */
  readonly staging: string
  /** A small file, below the folder. */
  write(path: string, content: string | Uint8Array): Promise<void>
  /** Removes leftovers of an attempt of another shape: all but these files and the folder's own. */
  keepOnly(files: readonly string[]): Promise<void>
  /** Gives the folder its name; only then is the folder that had it before removed. */
  publish(): Promise<void>
  /** Lets others try; the files written so far stay for the next attempt. */
  release(): Promise<void>
}

export interface OutputOptions {
  /** Replace a folder that is already there. */
  overwrite?: boolean | undefined
}

/** Says whose folder it is, until it has its name. */
const markName = '.unfinished'
const lockName = '.lock'

function isOwn(name: string): boolean {
  return isMark(name) || name === journalName
}

/** A journal alone is no mark: anybody may have a file of that name. */
function isMark(name: string): boolean {
  return name === markName || name.startsWith(lockName)
}

/**
 * Throws `usage.conflict` when the target holds something, or another process writes it; `file.write` when it cannot be
 * made.
 */
export async function openOutputFolder(
  target: string,
  { overwrite = false }: OutputOptions = {},
): Promise<OutputFolder> {
  const path = resolve(target)
  const present = await contents(path)
  if (present !== undefined && present.length > 0 && !overwrite) {
    throw fault('usage.conflict', {
      place: target,
      what: 'the folder is not empty',
      seen: present.slice(0, 5),
      hint: 'name another, or --overwrite',
    })
  }
  const staging = `${path}.partial`
  const foreign = (await contents(staging)) ?? []
  // Whatever lies there will be cleared away or become part of the output.
  if (foreign.length > 0 && !foreign.some(isMark)) {
    throw fault('usage.conflict', {
      place: staging,
      what: 'merges are prepared in this folder, but it holds something else',
      seen: foreign.slice(0, 5),
    })
  }
  await makeFolder(staging, target)
  const lock = await takeFolderLock(join(staging, lockName), target)
  await orWriteFault(writeFile(join(staging, markName), `unfinished output of ${target}\n`), target).catch(
    async (error: unknown) => {
      await lock.release()
      throw error
    },
  )
  let published = false
  return {
    staging,
    async write(file, content) {
      const full = join(staging, file)
      await makeFolder(dirname(full), target)
      const handle = await orWriteFault(open(full, 'w'), full)
      await orWriteFault(
        handle
          .writeFile(content)
          .then(() => handle.sync())
          .finally(() => handle.close()),
        full,
      )
    },
    async keepOnly(files) {
      for (const name of await readdir(staging))
        if (!isOwn(name) && !files.includes(name))
          await orWriteFault(rm(join(staging, name), { recursive: true, force: true }), name)
    },
    async publish() {
      const old = `${path}.${randomBytes(6).toString('hex')}.old`
      if (present !== undefined) await orWriteFault(rename(path, old), target)
      await orWriteFault(rename(staging, path), target).catch(async (error: unknown) => {
        if (present !== undefined) await rename(old, path)
        throw error
      })
      published = true
      await lock.release(join(path, lockName))
      // Only now: a merge killed earlier would find nothing to resume from.
      for (const name of await readdir(path)) if (isOwn(name)) await rm(join(path, name), { force: true })
      await syncFolder(dirname(path))
      await rm(old, { recursive: true, force: true })
    },
    async release() {
      if (published) return
      if (!(await isWorthKeeping(staging)))
        for (const name of await readdir(staging))
          if (!name.startsWith(lockName)) await rm(join(staging, name), { recursive: true, force: true })
      await lock.release()
      await rmdir(staging).catch(() => undefined)
    },
  }
}

/** A journal with more than its first line: something is finished. */
async function isWorthKeeping(staging: string): Promise<boolean> {
  const journal = await readFile(join(staging, journalName), 'utf8').catch(() => '')
  return journal.indexOf('\n') < journal.lastIndexOf('\n')
}

async function takeFolderLock(path: string, target: string): Promise<Lock> {
  let writer: string | undefined
  const giveUp = ({ pid, alive }: LockHolder): boolean => {
    writer = pid
    return alive === true
  }
  const lock = await takeLock(path, { giveUp, place: target })
  if (lock !== undefined) return lock
  const hint = 'wait for it, or name another folder'
  throw fault('usage.conflict', {
    place: target,
    what: 'another merge is writing this folder',
    seen: `process ${writer ?? '?'}`,
    hint,
  })
}

async function contents(path: string): Promise<string[] | undefined> {
  try {
    return await readdir(path)
  } catch (cause) {
    const code = systemCode(cause)
    if (code === 'ENOENT') return undefined
    if (code === 'ENOTDIR') throw fault('usage.conflict', { place: path, what: 'the target is not a folder', cause })
    throw fault('file.write', { place: path, what: 'the folder cannot be looked into', seen: code, cause })
  }
}
