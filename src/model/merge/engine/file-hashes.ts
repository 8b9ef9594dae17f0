/**
 * SHA-256 of a merge's files: of what it writes as it is filled and, as far as the hashing thread finds time, of what
 * it reads while the system still holds it. Inputs that are not begun when the last tensor is written are hashed by the
 * threads of the merge, a file each.
 */
import { realpath, stat } from 'node:fs/promises'
import type { OnProgress } from '#core'
import { filledHash, isNamedByHash } from '#platform/disk'
import { claimed, claimsOf } from './claims.ts'
import { hashThread } from './hash-thread.ts'
import type { WorkerPool } from './worker-pool.ts'
import type { WorkerAnswer, WorkerJob } from './worker.ts'

export interface FileHashes {
  /** Bytes from … to − 1 of an output are in their places. Returns at once. */
  wrote(path: string, from: number, to: number): void
  /** `bytes` more of a file have been read. Returns at once. */
  read(path: string, bytes: number): void
  /** Hex SHA-256 by path, outputs and inputs. Throws `file.missing`, `file.unreadable`, `run.cancelled`. */
  finish(
    pool: WorkerPool,
    options: { onProgress: OnProgress | undefined; signal: AbortSignal },
  ): Promise<Map<string, string>>
  close(): Promise<void>
}

/** Number of bytes that take about as long to hash as a thread takes to start. */
const worthAThread = 2 ** 26

/** `outputs`: their bytes by path. */
export async function fileHashes(outputs: ReadonlyMap<string, number>, inputs: readonly string[]): Promise<FileHashes> {
  const sizes = new Map(await Promise.all(inputs.map(async (path) => [path, (await stat(path)).size] as const)))
  // Blobs of the hub's cache need not be read.
  const read = new Map<string, number>()
  for (const path of inputs) if (!isNamedByHash(await realpath(path))) read.set(path, 0)
  const claims = claimsOf(inputs)
  const work = { sizes: new Map([...outputs, ...[...sizes].filter(([path]) => read.has(path))]), claims }
  const bytes = [...work.sizes.values()].reduce((sum, size) => sum + size, 0)
  const along =
    bytes < worthAThread ? filledHash(work.sizes, { claim: (path) => claimed(claims, path) }) : hashThread(work)

  /** Inputs are complete from the start; the bytes read so far only decide how far it is a good time to hash them. */
  const readTo = (path: string, to: number): void => {
    const from = read.get(path)
    if (from === undefined) return
    const end = Math.min(to, sizes.get(path) ?? 0)
    read.set(path, end)
    along.filled(path, from, end)
  }
  return {
    wrote: (path, from, to) => along.filled(path, from, to),
    read: (path, more) => readTo(path, (read.get(path) ?? 0) + more),
    async finish(pool, { onProgress, signal }) {
      const hashes = new Map<string, string>()
      const left = inputs.filter((path) => claimed(claims, path))
      for (const path of read.keys()) readTo(path, Infinity)
      const total = [...sizes.values()].reduce((sum, size) => sum + size, 0)
      const done = (path: string, sha256: string): void => {
        hashes.set(path, sha256)
        const hashed = inputs.reduce((sum, one) => sum + (hashes.has(one) ? (sizes.get(one) ?? 0) : 0), 0)
        if (sizes.has(path)) onProgress?.({ stage: 'hash', done: hashed, total, unit: 'bytes' })
      }
      const answered = async ({ sha256 }: WorkerAnswer, job: WorkerJob): Promise<void> => {
        if (job.kind === 'hash' && sha256 !== undefined) done(job.path, sha256)
      }
      const rest = pool.run(
        left.map((path) => ({ kind: 'hash', path })),
        answered,
        signal,
      )
      await Promise.all([rest, along.finish().then((theirs) => theirs.forEach((sha256, path) => done(path, sha256)))])
      return hashes
    },
    close: () => along.close(),
  }
}
