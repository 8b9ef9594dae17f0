/** Who holds a lock or a partial file: `<machine>-<pid>-<random>`. A process on this machine can be asked whether it lives; others can only be watched. */
import { createHash, randomBytes } from 'node:crypto'
import { readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

/** Pattern of an owner's name, for file names that carry one. */
export const ownerPattern = '[0-9a-f]{8}-\\d{1,10}-[0-9a-f]{8}'

export function newOwner(): string {
  return `${machine()}-${process.pid}-${randomBytes(4).toString('hex')}`
}

/** False if the owner's process certainly ended, true if a process with its number runs, undefined if that cannot be known from here. */
export function ownerAlive(owner: string): boolean | undefined {
  const [host, pid] = owner.split('-')
  if (host !== machine() || pid === undefined) return undefined
  try {
    process.kill(Number(pid), 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

let known: string | undefined

/** Hash of host name and process namespace: containers may share the first and not the second, and then a pid means nothing to the other. */
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
