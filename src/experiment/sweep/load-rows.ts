/** Rows of a task for a sweep: only those still to score, from the user's own data or from repositories. */
import { hubSettings, openRepo } from '#files/hub'
import type { Selection } from '#result/ledger'
import { type TaskRequest, loadRequested, type LoadedTask, type OpenDataset } from '#task/rows'
import type { SweepRequest } from './sweep-request.ts'

type Source = Pick<SweepRequest, 'offline' | 'ownData' | 'scratch' | 'signal' | 'onProgress'>

/** The rows that the jobs lack; without jobs, all requested ones. Throws what loading throws. */
export async function loadRows(
  asked: TaskRequest,
  { offline, ownData, scratch, signal, onProgress }: Source,
  jobs: readonly { readonly missing: Selection | undefined }[] = [],
): Promise<LoadedTask> {
  const partial = jobs.length > 0 && jobs.every(({ missing }) => missing !== undefined)
  const lacks = (subset: string): boolean =>
    jobs.some(({ missing }) => Object.values(missing ?? {}).some((subsets) => subsets.includes(subset)))
  return loadRequested(partial ? { ...asked, subsets: asked.subsets.filter(lacks) } : asked, {
    openDataset: openDatasets({ offline, ownData, signal, onProgress }),
    scratch,
    signal,
    onProgress,
  })
}

/** Data sets of a sweep: the user's own by their path, otherwise repositories. */
export function openDatasets({ offline, ownData, signal, onProgress }: Omit<Source, 'scratch'>): OpenDataset {
  return async (path, revision) =>
    ownData.get(path)?.() ??
    openRepo(`${path}@${revision}`, {
      type: 'dataset',
      settings: offline ? { ...hubSettings(), offline } : undefined,
      signal,
      onProgress,
    })
}
