/** What a sweep is asked for, and which rows of a task that means. */
import type { OnProgress, Profile } from '../core/index.ts'
import { openRepo } from '../hub/index.ts'
import type { Representation } from '../model/index.ts'
import type { OverwriteStrategy, Selection } from '../results/index.ts'
import { chooseSubsets, loadTask, type LoadedTask, type TaskInfo } from '../tasks/index.ts'

export interface SweepOptions {
  tasks: readonly TaskInfo[]
  representations: readonly Representation[]
  /** `all` keeps every state of a text (sweeps), `last` only what `default` needs. */
  keep?: 'all' | 'last'
  outputFolder?: string
  profile?: Profile
  overwriteStrategy?: OverwriteStrategy
  splits?: readonly string[]
  subsets?: readonly string[]
  languages?: readonly string[]
  signal?: AbortSignal
  onProgress?: OnProgress
}

/**
 * The subsets a task is asked for: of the names given for all tasks, those it has. Undefined when nothing is left – loading then says why, and
 * that becomes the task's failed result.
 */
export function subsetsOf(task: TaskInfo, { subsets, languages }: SweepOptions): readonly string[] | undefined {
  const own = subsets?.filter((name) => Object.hasOwn(task.subsets, name))
  if (own?.length === 0) return undefined
  try {
    return chooseSubsets(task, own, languages)
  } catch {
    return undefined
  }
}

/** Loads what is still to score in any of the arms. */
export async function loadRows(task: TaskInfo, options: SweepOptions, arms: readonly { readonly missing: Selection | undefined }[] = []): Promise<LoadedTask> {
  const { profile = 'mteb-2', signal, onProgress, splits, languages } = options
  const chosen = subsetsOf(task, options)
  const partial = arms.length > 0 && arms.every(({ missing }) => missing !== undefined)
  const wanted = partial
    ? chosen?.filter((subset) => arms.some(({ missing }) => Object.values(missing ?? {}).some((subsets) => subsets.includes(subset))))
    : chosen
  return loadTask(task, {
    openDataset: (path, revision) => openRepo(`${path}@${revision}`, { type: 'dataset', ...(signal ? { signal } : {}), ...(onProgress ? { onProgress } : {}) }),
    ...(splits ? { splits } : {}),
    // A choice that leaves nothing is refused in the words it was made in.
    ...(wanted === undefined ? { ...(options.subsets ? { subsets: options.subsets } : {}), ...(languages ? { languages } : {}) } : { subsets: wanted }),
    profile,
  })
}
