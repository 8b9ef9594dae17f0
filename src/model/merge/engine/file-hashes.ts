/**
 * SHA-256 of a merge's files: of what it writes as it is filled and, as far as the hashing threads find time, of what
 * it reads while the system still holds it. Inputs that are not begun when the last tensor is written are hashed by the
 * threads of the merge, a file each. An input whose hash an earlier process has kept is not read.
 */
import type { BigIntStats } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import type { OnProgress } from '#core'
import { filledHash, knownHash, rememberHash } from '#platform/disk'
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

/** A file is hashed by one thread; more of them than these keep up with any merge. */
const mostThreads = 4

export interface FileHashesOptions {
  /** Bytes by path. */
  readonly outputs: ReadonlyMap<string, number>
  readonly inputs: readonly string[]
  /** Threads of the merge: about as many hash. */
  readonly threads: number
}

export async function fileHashes({ outputs, inputs, threads }: FileHashesOptions): Promise<FileHashes> {
  const files = new Map(await Promise.all(inputs.map(async (path) => [path, await inputFile(path)] as const)))
  // Blobs of the hub's cache, and files whose hash is kept, need not be read.
  const read = new Map<string, number>(
    [...files].flatMap(([path, { known }]) => (known === undefined ? [[path, 0]] : [])),
  )
  const sizeOf = (path: string): number => Number(files.get(path)?.stats.size ?? 0)
  const sizes = new Map([...outputs, ...[...read.keys()].map((path) => [path, sizeOf(path)] as const)])
  const claims = claimsOf([...sizes.keys()])
  const bytes = [...sizes.values()].reduce((sum, size) => sum + size, 0)
  const hashers = Math.max(1, Math.min(mostThreads, threads, sizes.size))
  const work = { sizes, claims, most: Math.ceil(sizes.size / hashers) }
  const along =
    bytes < worthAThread
      ? [filledHash(sizes, { claim: (path) => claimed(claims, path) })]
      : Array.from({ length: hashers }, () => hashThread(work))
  const filled = (path: string, from: number, to: number): void => {
    for (const hasher of along) hasher.filled(path, from, to)
  }

  /** Inputs are complete from the start; the bytes read so far only decide how far it is a good time to hash them. */
  const readTo = (path: string, to: number): void => {
    const from = read.get(path)
    if (from === undefined) return
    const end = Math.min(to, sizeOf(path))
    read.set(path, end)
    filled(path, from, end)
  }
  return {
    wrote: filled,
    read: (path, more) => readTo(path, (read.get(path) ?? 0) + more),
    async finish(pool, { onProgress, signal }) {
      const hashes = new Map(
        [...files].flatMap(([path, { known }]) => (known === undefined ? [] : [[path, known] as const])),
      )
      const left = [...read.keys()].filter((path) => claimed(claims, path))
      for (const path of read.keys()) readTo(path, Infinity)
      const total = [...read.keys()].reduce((sum, path) => sum + sizeOf(path), 0)
      const done = async (path: string, sha256: string): Promise<void> => {
        hashes.set(path, sha256)
        const file = files.get(path)
        if (file === undefined) return
        const hashed = [...read.keys()].reduce((sum, one) => sum + (hashes.has(one) ? sizeOf(one) : 0), 0)
        onProgress?.({ stage: 'hash', done: hashed, total, unit: 'bytes' })
        await rememberHash(file.real, file.stats, sha256)
      }
      const answered = async ({ sha256 }: WorkerAnswer, job: WorkerJob): Promise<void> => {
        if (job.kind === 'hash' && sha256 !== undefined) await done(job.path, sha256)
      }
      const rest = pool.run(
        left.map((path) => ({ kind: 'hash', path })),
        answered,
        signal,
      )
      const theirs = along.map(async (hasher) => {
        for (const [path, sha256] of await hasher.finish()) await done(path, sha256)
      })
      await Promise.all([rest, ...theirs])
      return hashes
    },
    async close() {
      await Promise.all(along.map((hasher) => hasher.close()))
    },
  }
}

interface InputFile {
  readonly real: string
  readonly stats: BigIntStats
  /** Hex SHA-256 that need not be computed. */
  readonly known: string | undefined
}

async function inputFile(path: string): Promise<InputFile> {
  const real = await realpath(path)
  const stats = await stat(real, { bigint: true })
  return { real, stats, known: await knownHash(real, stats) }
}
