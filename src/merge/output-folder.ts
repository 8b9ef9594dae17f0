/** A folder that appears whole: made beside its name, by one process at a time, and renamed when everything lies in it. */
import { mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { fault } from '../core/index.ts'

export interface OutputFolder {
  /** Where to write until then. */
  readonly staging: string
  /** A small file, below the folder. */
  write(path: string, content: string | Uint8Array): Promise<void>
  /** Gives the folder its name; what was there before goes only then. */
  publish(): Promise<void>
  /** Lets others try; what was written stays for the next attempt. */
  release(): Promise<void>
}

export interface OutputOptions {
  /** Replace a folder that is already there. */
  overwrite?: boolean
}

/** Throws `usage.conflict` when the target holds something, or another process writes it; `file.write` when it cannot be made. */
export async function openOutputFolder(target: string, { overwrite = false }: OutputOptions = {}): Promise<OutputFolder> {
  const path = resolve(target)
  const present = await contents(path)
  if (present !== undefined && present.length > 0 && !overwrite) {
    throw fault('usage.conflict', { place: target, what: 'the folder is not empty', seen: present.slice(0, 5), hint: 'name another, or --overwrite' })
  }
  const staging = `${path}.partial`
  const lock = join(staging, '.lock')
  await orWriteFault(mkdir(staging, { recursive: true }), target)
  await takeLock(lock, target)
  return {
    staging,
    async write(file, content) {
      const full = join(staging, file)
      await orWriteFault(mkdir(dirname(full), { recursive: true }), target)
      await orWriteFault(writeFile(full, content), full)
    },
    async publish() {
      await rm(join(staging, 'journal.jsonl'), { force: true })
      const old = `${path}.old`
      if (present !== undefined) await orWriteFault(rename(path, old), target)
      await rm(lock, { force: true })
      await orWriteFault(rename(staging, path), target)
      await rm(old, { recursive: true, force: true })
    },
    release: () => rm(lock, { force: true }),
  }
}

/** A lock of a process that is gone is taken over. */
async function takeLock(lock: string, target: string): Promise<void> {
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      const file = await open(lock, 'wx')
      await file.writeFile(String(process.pid))
      await file.close()
      return
    } catch (cause) {
      if ((cause as { code?: unknown }).code !== 'EEXIST') throw fault('file.write', { place: target, what: 'the folder cannot be written', cause })
      const owner = Number(await readFile(lock, 'utf8').catch(() => ''))
      if (owner > 0 && isAlive(owner)) {
        throw fault('usage.conflict', {
          place: target,
          what: 'another merge is writing this folder',
          seen: `process ${owner}`,
          hint: 'wait for it, or name another folder',
        })
      }
      await rm(lock, { force: true })
    }
  }
  throw fault('usage.conflict', { place: target, what: 'another merge took this folder' })
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as { code?: unknown }).code === 'EPERM'
  }
}

async function contents(path: string): Promise<string[] | undefined> {
  try {
    return await readdir(path)
  } catch (cause) {
    if ((cause as { code?: unknown }).code === 'ENOENT') return undefined
    throw fault('usage.conflict', { place: path, what: 'the target is not a folder', cause })
  }
}

async function orWriteFault<T>(work: Promise<T>, place: string): Promise<T> {
  try {
    return await work
  } catch (cause) {
    const seen = cause instanceof Error && 'code' in cause ? String(cause.code) : undefined
    throw fault('file.write', { place, what: 'cannot be written', seen, hint: 'check that the folder may be written and has room', cause })
  }
}
