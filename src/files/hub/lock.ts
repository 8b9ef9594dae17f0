/**
 * One download of a blob at a time, across processes. The lock is a file with its owner's name, touched while the owner works.
 *
 * It saves bandwidth, no more: every download writes to a file of its own and renames it when it is whole and verified, so that a lock that fails – taken
 * over from an owner that only slept, on a file system with odd clocks, or unknown to huggingface_hub, whose flock Node cannot take – costs a second
 * download and never a wrong file. That is also why it has a name of its own beside `<etag>.lock`.
 */
import { mkdir, readFile, stat, unlink, utimes, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { newOwner, ownerAlive } from '#platform/disk'
import { sleep, stopIfCancelled } from './persist.ts'

/** An owner is given up after this many beats without a sign of life. */
const silentBeats = 6
const looksPerBeat = 20

export interface LockOptions {
  beatSeconds: number
  signal?: AbortSignal | undefined
  /** Asked while somebody else holds the lock: true ends the wait, for then there is nothing left to do. */
  settled: () => Promise<boolean>
}

/** Runs `work` while holding the lock at `path`; returns without running it when `settled` says so. Throws `run.cancelled` while waiting, and what `work` throws. */
export async function underLock(path: string, { beatSeconds, signal, settled }: LockOptions, work: () => Promise<void>): Promise<void> {
  const owner = newOwner()
  let watched = { mtimeMs: NaN, looks: 0 }
  while (!(await settled())) {
    stopIfCancelled(signal)
    const taken = await take(path, owner)
    if (taken !== 'held') {
      const beat = setInterval(() => void touch(path), beatSeconds * 1000)
      beat.unref()
      try {
        return await work()
      } finally {
        clearInterval(beat)
        if (taken === 'taken' && (await holder(path)) === owner) await unlink(path).catch(() => undefined)
      }
    }
    const mtimeMs = await lastBeat(path)
    watched = mtimeMs === watched.mtimeMs ? { mtimeMs, looks: watched.looks + 1 } : { mtimeMs, looks: 0 }
    // Only time seen to pass here counts: the clock of a file server may be another.
    const abandoned = ownerAlive(await holder(path)) === false || watched.looks > silentBeats * looksPerBeat
    if (abandoned) await unlink(path).catch(() => undefined)
    else await sleep(beatSeconds / looksPerBeat, signal)
  }
}

/** `unlockable`: the folder of locks cannot be written to; the work is safe without. */
async function take(path: string, owner: string): Promise<'taken' | 'held' | 'unlockable'> {
  try {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, owner, { flag: 'wx' })
    return 'taken'
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EEXIST' ? 'held' : 'unlockable'
  }
}

async function holder(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '')
}

async function lastBeat(path: string): Promise<number> {
  return stat(path).then(
    (found) => found.mtimeMs,
    () => NaN,
  )
}

async function touch(path: string): Promise<void> {
  const now = new Date()
  await utimes(path, now, now).catch(() => undefined)
}
