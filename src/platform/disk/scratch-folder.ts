/**
 * A folder for files that one process needs for a while and that bear a name meanwhile, because another program or
 * thread opens them by it.
 */
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { newOwner, ownerAlive, ownerPattern } from './owner.ts'
import { orWriteFault } from './write-fault.ts'

/**
 * Makes a new folder `<name>-<owner>-<random>` in `parent`, readable by this user alone, and removes those of the same
 * name whose processes were killed. Throws `file.write`.
 */
export async function makeScratchFolder(parent: string, name: string): Promise<string> {
  await removeAbandoned(parent, name)
  return orWriteFault(mkdtemp(join(parent, `${name}-${newOwner()}-`)), parent)
}

async function removeAbandoned(parent: string, name: string): Promise<void> {
  const pattern = new RegExp(`^${name}-(${ownerPattern})-[^-]+$`)
  for (const entry of await readdir(parent).catch(() => [])) {
    const owner = pattern.exec(entry)?.[1]
    // another user's stays, as does what the system holds
    if (owner !== undefined && ownerAlive(owner) === false)
      await rm(join(parent, entry), { recursive: true, force: true }).catch(() => undefined)
  }
}
