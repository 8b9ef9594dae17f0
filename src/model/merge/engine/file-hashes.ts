/** SHA-256 of whole files, by the threads of a merge. */
import { stat } from 'node:fs/promises'
import type { OnProgress } from '#core'
import type { WorkerPool } from './worker-pool.ts'
import type { WorkerAnswer, WorkerJob } from './worker.ts'

/** Fills `hashes` with the hex SHA-256 of every file, by path. Throws `file.missing`, `file.unreadable`, `run.cancelled`. */
export async function hashFiles(
  files: readonly string[],
  hashes: Map<string, string>,
  pool: WorkerPool,
  { onProgress, signal }: { onProgress: OnProgress | undefined; signal: AbortSignal },
): Promise<void> {
  const sizes = new Map(await Promise.all(files.map(async (path) => [path, (await stat(path)).size] as const)))
  const total = [...sizes.values()].reduce((sum, size) => sum + size, 0)
  let done = 0
  const answered = async ({ sha256 }: WorkerAnswer, job: WorkerJob): Promise<void> => {
    if (job.kind !== 'hash' || sha256 === undefined) return
    hashes.set(job.path, sha256)
    done += sizes.get(job.path) ?? 0
    onProgress?.({ stage: 'hash', done, total, unit: 'bytes' })
  }
  await pool.run(
    files.map((path) => ({ kind: 'hash', path })),
    answered,
    signal,
  )
}
