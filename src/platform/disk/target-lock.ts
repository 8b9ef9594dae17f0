/** One process at a time on an output folder. The lock is a file that names its owner and is touched while the owner works. */
import { link, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { fault } from '#core'
import { orWriteFault, writeFault } from './write-fault.ts'

/** How often an owner shows that it lives, in milliseconds. */
const beat = 5_000
/** Beats without a sign of life after which a lock from another machine is taken over. */
const silentBeats = 4

export interface TargetLock {
  /** `at`: where the lock lies by now, when its folder was renamed. */
  release(at?: string): Promise<void>
}

/**
 * Takes the lock at `path`, over from an owner that is gone. `place` is what messages call the folder. Throws `usage.conflict` while another process holds it,
 * `file.write` where it cannot be written.
 */
export async function takeTargetLock(path: string, place: string): Promise<TargetLock> {
  const owner = ownName()
  // Written aside and linked: a lock is never seen without its owner.
  const aside = `${path}.${randomBytes(6).toString('hex')}`
  await orWriteFault(writeFile(aside, owner), place)
  try {
    while (!(await linked(aside, path, place))) {
      const holder = await readFile(path, 'utf8').catch(() => undefined)
      if (holder === undefined) continue
      if (isAlive(holder) ?? (await beats(path))) {
        throw fault('usage.conflict', {
          place,
          what: 'another merge is writing this folder',
          seen: `process ${holder.split('\n')[1] ?? '?'}`,
          hint: 'wait for it, or name another folder',
        })
      }
      // Looked at again: another that found the same dead owner may have taken the lock meanwhile.
      if ((await readFile(path, 'utf8').catch(() => undefined)) === holder) await rm(path, { force: true })
    }
  } finally {
    await rm(aside, { force: true })
  }
  const timer = setInterval(() => void touch(path), beat)
  timer.unref()
  return {
    async release(at = path) {
      clearInterval(timer)
      await rm(at, { force: true })
    },
  }
}

/** False when another has the lock. */
async function linked(aside: string, path: string, place: string): Promise<boolean> {
  try {
    await link(aside, path)
    return true
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
    if (code === 'EEXIST') return false
    // File systems without links: made if absent, then.
    if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'ENOSYS') throw writeFault(cause, place)
    return writeFile(path, await readFile(aside), { flag: 'wx' }).then(
      () => true,
      (error: unknown) => {
        if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
        throw writeFault(error, place)
      },
    )
  }
}

/** Machine, process, and when it started: numbers of processes come back. */
function ownName(): string {
  return [machine(), process.pid, startOf(process.pid)].join('\n')
}

/** Undefined for a process of another machine, of which nothing is known from here. */
function isAlive(owner: string): boolean | undefined {
  const [host, pid, start] = owner.split('\n')
  if (host !== machine()) return undefined
  try {
    process.kill(Number(pid), 0)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return false
  }
  return start === startOf(Number(pid))
}

async function beats(path: string): Promise<boolean> {
  const before = await timeOf(path)
  for (let waited = 0; waited < silentBeats * beat; waited += beat / 5) {
    await sleep(beat / 5)
    // Only a change counts, never the age: the clock of a file server may be another.
    if ((await timeOf(path)) !== before) return true
  }
  return false
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

/** Containers may share a host name and not the numbers of processes. */
function machine(): string {
  try {
    return `${hostname()} ${readlinkSync('/proc/self/ns/pid')}`
  } catch {
    return hostname()
  }
}

/** Clock ticks from the machine's start to the process's (proc(5), field 22); empty where there is no /proc. */
function startOf(pid: number): string {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The second field is a name in brackets that may hold anything.
    return fields.slice(fields.lastIndexOf(')') + 2).split(' ')[19] ?? ''
  } catch {
    return ''
  }
}
