/** Many files at once, and only the named ones. */
import type { OnProgress, RepoFiles } from '#core'
import type { RemoteFile } from './download.ts'
import { downloaderOf } from './hub-repo.ts'
import { inParallel } from './in-parallel.ts'
import { checkPath } from './names.ts'

export interface PrefetchOptions {
  concurrency?: number | undefined
  /** Fetch cached files again. */
  force?: boolean | undefined
  /** Bytes here and bytes in all, over the files that were not cached; total is undefined while a size is unknown. */
  onProgress?: OnProgress | undefined
  signal?: AbortSignal | undefined
}

/**
 * Brings the named files into the cache. All are described before the first is fetched, so that a missing one costs
 * nothing and the total is known. The first failure stops the rest and is thrown; what has come in is kept. For a
 * folder it only checks that they are there.
 */
export async function prefetch(
  files: RepoFiles,
  paths: readonly string[],
  { concurrency = 4, force = false, onProgress, signal }: PrefetchOptions = {},
): Promise<void> {
  const wanted = [...new Set(paths.map((path) => checkPath(path, files.name)))]
  const downloader = downloaderOf(files)
  if (!downloader) return inParallel(wanted, concurrency, signal, async (path) => void (await files.local(path)))

  const remotes = new Map<string, RemoteFile>()
  await inParallel(wanted, concurrency, signal, async (path, stop) => {
    if (force || (await downloader.cached(path)) === undefined) remotes.set(path, await downloader.describe(path, stop))
  })
  const sizes = [...remotes.values()].map(({ size }) => size)
  const total = sizes.reduce((sum, size) => (sum === undefined || size === undefined ? undefined : sum + size), 0)
  const here = new Map<string, number>()
  await inParallel([...remotes], concurrency, signal, ([path, remote], stop) =>
    downloader.download(path, remote, {
      signal: stop,
      force,
      onBytes(byteLength) {
        here.set(path, byteLength)
        onProgress?.({
          stage: `download ${files.name}`,
          done: [...here.values()].reduce((sum, each) => sum + each, 0),
          total,
          unit: 'bytes',
        })
      },
    }),
  )
}
