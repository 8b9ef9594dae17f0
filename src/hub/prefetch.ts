/** Many files at once, and only the named ones. */
import { fault, type OnProgress, type RepoFiles } from '../core/index.ts'
import type { RemoteFile } from './download.ts'
import { downloaderOf } from './hub-repo.ts'
import { checkPath } from './names.ts'

export interface PrefetchOptions {
  concurrency?: number
  /** Bytes here and bytes in all, over the files that were not cached; total is undefined while a size is unknown. */
  onProgress?: OnProgress | undefined
  signal?: AbortSignal | undefined
}

/**
 * Brings the named files into the cache. All are described before the first is fetched, so that a missing one costs nothing and the total is known. The first
 * failure stops the rest and is thrown; what has come in is kept. For a folder it only checks that they are there.
 */
export async function prefetch(files: RepoFiles, paths: readonly string[], { concurrency = 4, onProgress, signal }: PrefetchOptions = {}): Promise<void> {
  const wanted = [...new Set(paths.map((path) => checkPath(path, files.name)))]
  const downloader = downloaderOf(files)
  if (!downloader) return inParallel(wanted, concurrency, signal, async (path) => void (await files.local(path)))

  const remotes = new Map<string, RemoteFile>()
  await inParallel(wanted, concurrency, signal, async (path, stop) => {
    if (!(await downloader.cached(path))) remotes.set(path, await downloader.describe(path, stop))
  })
  const sizes = [...remotes.values()].map(({ size }) => size)
  const total = sizes.reduce((sum, size) => (sum === undefined || size === undefined ? undefined : sum + size), 0)
  const here = new Map<string, number>()
  await inParallel([...remotes], concurrency, signal, ([path, remote], stop) =>
    downloader.download(path, remote, {
      signal: stop,
      onBytes(byteLength) {
        here.set(path, byteLength)
        onProgress?.({ stage: `download ${files.name}`, done: [...here.values()].reduce((sum, each) => sum + each, 0), total, unit: 'bytes' })
      },
    }),
  )
}

/** Runs `work` on every item, so many at a time; the first failure stops the others, is waited out, and thrown. */
async function inParallel<T>(
  items: readonly T[],
  concurrency: number,
  signal: AbortSignal | undefined,
  work: (item: T, stop: AbortSignal) => Promise<void>,
): Promise<void> {
  if (!Number.isInteger(concurrency) || concurrency < 1)
    throw fault('usage.value', { place: 'concurrency', what: 'not a number of downloads', seen: concurrency })
  const failed = new AbortController()
  const stop = signal ? AbortSignal.any([signal, failed.signal]) : failed.signal
  const queue = items.values()
  const failures: unknown[] = []
  const worker = async (): Promise<void> => {
    for (const item of queue) {
      if (stop.aborted) break
      await work(item, stop).catch((error: unknown) => {
        failures.push(error)
        failed.abort()
      })
    }
  }
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, worker))
  if (failures.length > 0) throw failures[0]
  if (signal?.aborted) throw fault('run.cancelled', { place: 'download', what: 'stopped before it was finished' })
}
