/**
 * Hashes of large files that serve later processes: weights of a hundred checkpoints are not read again to see that
 * nothing has changed. A hash is kept under path, device, inode, size and both times; the time of the last change
 * (ctime) is set by the system alone, so that a file replaced under its old size and time (`cp -p`, `rsync -t`) is
 * another. It is kept only
 *
 *   where the file system keeps such a time,
 *   of a file that had settled before it was hashed – two writes within one tick of the clock have the same time –
 *   and that was the same afterwards.
 */
import type { BigIntStats } from 'node:fs'
import { open, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { addLine, type JournalKind, readJournal } from './journal.ts'
import { makeFolder } from './write-fault.ts'

interface KeptHash {
  readonly file: string
  readonly hash: string
}

const kind: JournalKind<KeptHash> = {
  name: 'hashes',
  table: true,
  isPiece: (value): value is KeptHash =>
    typeof value === 'object' &&
    value !== null &&
    'file' in value &&
    'hash' in value &&
    typeof value.file === 'string' &&
    typeof value.hash === 'string' &&
    /^[0-9a-f]{64}$/.test(value.hash),
}

export interface KeepHashesOptions {
  /** Seconds that a file must have been left alone. */
  readonly settledSeconds?: number | undefined
  /** Bytes from which on a hash is worth keeping. */
  readonly leastBytes?: number | undefined
}

interface Keeping {
  readonly path: string
  readonly settledSeconds: number
  readonly leastBytes: number
  readonly hashes: ReadonlyMap<string, string>
}

let keeping: Keeping | undefined

/**
 * From now on hashes are kept in the file at `path`, and those that it holds are used. Throws `usage.conflict` for a
 * file of somebody else's, `file.write`.
 */
export async function keepHashes(
  path: string,
  { settledSeconds = 10, leastBytes = 2 ** 20 }: KeepHashesOptions = {},
): Promise<void> {
  await makeFolder(dirname(path))
  const pieces = (await readJournal(path, kind)) ?? []
  keeping = { path, settledSeconds, leastBytes, hashes: new Map(pieces.map(({ file, hash }) => [file, hash])) }
}

/** Hash of the version of a file that `stats` describe; undefined where none is kept. */
export async function keptHash(path: string, stats: BigIntStats): Promise<string | undefined> {
  const hash = keeping?.hashes.get(keyOf(path, stats))
  // a file server says what it has now when a file is opened, and not before
  return hash !== undefined && (await isStill(path, stats)) ? hash : undefined
}

/** A hash that cannot be kept is computed again. */
export async function keepHash(path: string, stats: BigIntStats, hash: string): Promise<void> {
  if (keeping === undefined || stats.size < keeping.leastBytes) return
  if (Date.now() - Number(stats.ctimeMs) < 1000 * keeping.settledSeconds || !(await isStill(path, stats))) return
  const { type } = await statfs(path).catch(() => ({ type: 0 }))
  if (changeTimed.has(type)) await addLine(keeping.path, { file: keyOf(path, stats), hash }).catch(() => undefined)
}

/** Path and version of a file as one key. */
export function keyOf(path: string, { dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [path, dev, ino, size, mtimeNs, ctimeNs].join('\0')
}

async function isStill(path: string, stats: BigIntStats): Promise<boolean> {
  try {
    const file = await open(path, 'r')
    try {
      return keyOf(path, await file.stat({ bigint: true })) === keyOf(path, stats)
    } finally {
      await file.close()
    }
  } catch {
    return false
  }
}

/**
 * Magic numbers (statfs(2)) of ext, XFS, Btrfs, ZFS, F2FS, tmpfs, overlay, NFS, Lustre, GPFS, BeeGFS and Ceph: nobody
 * but they set the time of a change.
 */
const changeTimed: ReadonlySet<number> = new Set([
  0xef53, 0x58465342, 0x9123683e, 0x2fc12fc1, 0xf2f52010, 0x01021994, 0x794c7630, 0x6969, 0x0bd00bd0, 0x47504653,
  0x19830326, 0x00c36400,
])
