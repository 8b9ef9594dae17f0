/**
 * The beginning of a blob while it comes in, `blobs/<etag>.<owner>.incomplete`. Each belongs to one writer, so that no
 * two ever write to the same file:
 *
 *   what a dead process of this machine left, or one that gave up (`<etag>.released-<random>.incomplete`), is taken
 *   over by renaming – one taker wins;
 *   what may still have a writer (another machine, or the plain `<etag>.incomplete` of huggingface_hub before 2.0) is
 *   copied: a prefix stays a prefix.
 */
import { randomBytes } from 'node:crypto'
import { constants, copyFile, open, readdir, rename, rm, stat, type FileHandle } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { makeFolder, newOwner, ownerAlive, ownerPattern, putInPlace } from '#platform/disk'

export interface Partial {
  readonly path: string
  readonly handle: FileHandle
  /** Bytes found when it was opened. */
  readonly found: number
  /** What else lay there. */
  readonly others: readonly Leftover[]
}

/**
 * Opens a partial file for a blob, with as much of an earlier attempt as can be had unless `fresh`; `size` is what the
 * whole will have, if known.
 */
export async function openPartial(blob: string, size: number | undefined, fresh: boolean): Promise<Partial> {
  await makeFolder(dirname(blob))
  const path = `${blob}.${newOwner()}.incomplete`
  const others = fresh ? [] : await leftovers(blob)
  for (const leftover of others) {
    if (leftover.size === 0 || leftover.size > (size ?? Infinity) || !(await adopt(leftover, path))) continue
    const handle = await open(path, 'r+')
    return { path, handle, found: (await handle.stat()).size, others }
  }
  return { path, handle: await open(path, 'wx+'), found: 0, others }
}

/** Closes the file and leaves it for the next attempt, or removes it when nothing is worth keeping. */
export async function releasePartial(blob: string, { path, handle }: Partial): Promise<void> {
  const { size } = await handle.stat()
  await handle.close()
  if (size === 0) await rm(path, { force: true })
  else await rename(path, `${blob}.released-${randomBytes(4).toString('hex')}.incomplete`).catch(() => undefined)
}

export async function discardPartial({ path, handle }: Partial): Promise<void> {
  await handle.close()
  await rm(path, { force: true })
}

/**
 * Makes the partial file the blob: on disk first, then at its name. Leftovers that nobody has written to meanwhile have
 * served.
 */
export async function completePartial(blob: string, { path, handle, others }: Partial): Promise<void> {
  await handle.close()
  await putInPlace(path, blob)
  for (const leftover of await leftovers(blob)) {
    const still = others.some(
      (other) => other.path === leftover.path && other.size === leftover.size && other.mtimeMs === leftover.mtimeMs,
    )
    if (leftover.ownerless || still) await rm(leftover.path, { force: true }).catch(() => undefined)
  }
}

interface Leftover {
  path: string
  size: number
  mtimeMs: number
  /** Certainly nobody writes to it any more. */
  ownerless: boolean
}

/** Partial files of this blob that no living process of this machine writes to, largest first. */
async function leftovers(blob: string): Promise<Leftover[]> {
  const name = basename(blob)
  const found: Leftover[] = []
  for (const entry of await readdir(dirname(blob)).catch(() => [])) {
    if (!entry.startsWith(`${name}.`) || !entry.endsWith('.incomplete')) continue
    const owner = entry.slice(name.length + 1, -'.incomplete'.length)
    const alive = aliveOwner(owner)
    if (alive === true) continue // a living writer, or a name that is not ours to judge
    const path = join(dirname(blob), entry)
    const info = await stat(path).catch(() => undefined)
    if (info?.isFile()) found.push({ path, size: info.size, mtimeMs: info.mtimeMs, ownerless: alive === false })
  }
  return found.sort((a, b) => b.size - a.size)
}

/** Undefined where it is unknown. */
function aliveOwner(owner: string): boolean | undefined {
  if (owner.startsWith('released-')) return false
  if (new RegExp(`^${ownerPattern}$`).test(owner)) return ownerAlive(owner)
  return owner === '' ? undefined : true
}

async function adopt(leftover: Leftover, path: string): Promise<boolean> {
  try {
    if (leftover.ownerless) await rename(leftover.path, path)
    else await copyFile(leftover.path, path, constants.COPYFILE_FICLONE)
    return true
  } catch {
    await rm(path, { force: true })
    return false // gone in between, or no room for a copy: begin anew
  }
}
