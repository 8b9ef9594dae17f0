/** One process at a time. A lock is a file that names its owner and is touched while the owner works. */
import { createHash, randomBytes } from 'node:crypto'
import { link, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { newOwner, ownerAlive, ownerProcess } from './owner.ts'
import { systemCode } from './system-code.ts'
import { orWriteFault, writeFault } from './write-fault.ts'

/** A lock is touched this often, in seconds. */
const defaultBeat = 5
/** Beats without a sign of life after which a lock is taken over from an owner that cannot be asked. */
const silentBeats = 6
const looksPerBeat = 20
/** Between looks while another removes what a dead owner left, in milliseconds. */
const buryingPause = 5

export interface Lock {
  /** `at`: where the lock lies by now, when its folder was renamed. A lock that another took over stays. */
  release(at?: string): Promise<void>
}

export interface LockHolder {
  /** Number of its process, where that is known. */
  readonly pid: string | undefined
  /**
   * True if its process runs here, or the lock was touched since it was first looked at; undefined while that is open.
   */
  readonly alive: true | undefined
}

export interface LockOptions {
  /** Asked again and again while another holds the lock; true ends the wait. */
  giveUp: (holder: LockHolder) => boolean | Promise<boolean>
  beatSeconds?: number | undefined
  /**
   * Take it over from a process of this machine too that runs and does not touch it, as one that was stopped: only
   * where two owners do no harm.
   */
  fromStopped?: boolean | undefined
  /** For messages. */
  place?: string | undefined
}

/**
 * Takes the lock at `path`, over from an owner that is gone. Undefined when `giveUp` says so. Throws `file.write` where
 * it cannot be written, and what `giveUp` throws.
 */
export async function takeLock(
  path: string,
  { giveUp, beatSeconds = defaultBeat, fromStopped = false, place = path }: LockOptions,
): Promise<Lock | undefined> {
  const owner = newOwner()
  // Written aside and linked: a lock is never seen without its owner.
  const aside = `${path}.${randomBytes(6).toString('hex')}`
  let watched = { holder: undefined as string | undefined, touched: NaN, looks: 0, alive: false }
  try {
    await orWriteFault(writeFile(aside, owner), place)
    while (!(await linked(aside, path, place))) {
      const holder = await ownerOf(path)
      if (holder === undefined) continue
      const touched = await timeOf(path)
      // Only a change counts, never the age: the clock of a file server may be another.
      const same = holder === watched.holder && touched === watched.touched
      watched = {
        holder,
        touched,
        looks: same ? watched.looks + 1 : 0,
        alive: holder === watched.holder && (watched.alive || touched !== watched.touched),
      }
      const alive = ownerAlive(holder)
      const silent = watched.looks > silentBeats * looksPerBeat
      if (alive === false || (silent && (alive === undefined || fromStopped))) await bury(path, holder, place)
      else if (await giveUp({ pid: ownerProcess(holder), alive: alive ?? (watched.alive || undefined) }))
        return undefined
      else await sleep((beatSeconds / looksPerBeat) * 1000)
    }
  } finally {
    await rm(aside, { force: true }).catch(() => undefined)
  }
  const timer = setInterval(() => void touch(path), beatSeconds * 1000)
  timer.unref()
  return {
    async release(at = path) {
      clearInterval(timer)
      await removeOf(at, owner).catch(() => undefined)
    },
  }
}

/**
 * Removes the lock of an owner that is gone. Several may find it at once, and one that looked before another took the
 * lock anew would remove the lock of a living owner: so the removal of this owner's lock needs a lock too, and the look
 * is repeated under it.
 */
async function bury(path: string, gone: string, place: string): Promise<void> {
  const right = await takeLock(`${path}.${createHash('sha256').update(gone).digest('hex').slice(0, 8)}`, {
    giveUp: () => true,
    place,
  })
  if (right === undefined) return sleep(buryingPause)
  try {
    await orWriteFault(removeOf(path, gone), place)
  } finally {
    await right.release()
  }
}

/** False when another has the lock. */
async function linked(aside: string, path: string, place: string): Promise<boolean> {
  try {
    await link(aside, path)
    return true
  } catch (error) {
    const code = systemCode(error)
    if (code === 'EEXIST') return false
    // File systems without links: made if absent, then.
    if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'ENOSYS') throw writeFault(error, place)
    return writeFile(path, await readFile(aside), { flag: 'wx' }).then(
      () => true,
      (again: unknown) => {
        if (systemCode(again) === 'EEXIST') return false
        throw writeFault(again, place)
      },
    )
  }
}

/** If it is still this owner's. */
async function removeOf(path: string, owner: string): Promise<void> {
  if ((await ownerOf(path)) === owner) await rm(path, { force: true })
}

/** Undefined when there is no lock by now; one that cannot be read has an owner that cannot be asked. */
function ownerOf(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch((error: unknown) => (systemCode(error) === 'ENOENT' ? undefined : ''))
}

function timeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => NaN,
  )
}

async function touch(path: string): Promise<void> {
  const now = new Date()
  await utimes(path, now, now).catch(() => undefined)
}
