/**
 * Who holds a lock or a partial file: `<machine>-<process>-<its start>-<random>`. A process on this machine can be
 * asked whether it lives; others can only be watched.
 */
import { createHash, randomBytes } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

/** Pattern of an owner's name, for file names that carry one; older ones are without the start. */
export const ownerPattern = '[0-9a-f]{8}-\\d{1,10}(?:-\\d{1,20})?-[0-9a-f]{8}'

export function newOwner(): string {
  return [machine(), process.pid, startOf(process.pid), randomBytes(4).toString('hex')].join('-')
}

/** Number of an owner's process on its machine. */
export function ownerProcess(owner: string): string | undefined {
  return partsOf(owner).pid
}

/**
 * False if the owner's process certainly ended, true if it runs as far as can be known, undefined if it is another
 * machine's.
 */
export function ownerAlive(owner: string): boolean | undefined {
  const { host, pid, start } = partsOf(owner)
  if (host !== machine()) return undefined
  try {
    process.kill(Number(pid), 0)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return false
  }
  // Numbers of processes come back: the one that has it now may be another.
  const now = startOf(Number(pid))
  return start === undefined || start === unknownStart || now === unknownStart || start === now
}

function partsOf(owner: string): { host?: string | undefined; pid?: string | undefined; start?: string | undefined } {
  if (!new RegExp(`^${ownerPattern}$`).test(owner)) return {}
  const [host, pid, ...rest] = owner.split('-')
  return { host, pid, start: rest.length > 1 ? rest[0] : undefined }
}

let known: string | undefined

/**
 * Hash of host name and process namespace: containers may share the first and not the second, and then a pid means
 * nothing to the other.
 */
function machine(): string {
  return (known ??= createHash('sha256').update(`${hostname()}\0${processNamespace()}`).digest('hex').slice(0, 8))
}

function processNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid')
  } catch {
    return '' // not Linux: one namespace
  }
}

const unknownStart = '0'

/** Clock ticks from the machine's start to the process's (proc(5), field 22). */
function startOf(pid: number): string {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The second field is a name in brackets that may hold anything.
    return fields.slice(fields.lastIndexOf(')') + 2).split(' ')[19] ?? unknownStart
  } catch {
    return unknownStart
  }
}
