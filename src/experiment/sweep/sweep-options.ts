/** What a sweep is asked for, and which rows of a task that means. */
import { fault, type OnProgress, type Profile } from '#core'
import { hubSettings, openRepo } from '#files/hub'
import type { KMeansProfile } from '#platform/linalg'
import type { Representation } from '#model/checkpoint'
import type { OverwriteStrategy, Selection } from '#result/ledger'
import { type Benchmark, chooseSubsets, type LoadedTask, loadTask, type OwnTasks, type SkippedTask, type TaskInfo, type TaskSelection } from '#task/registry'

export interface SweepOptions {
  tasks: readonly TaskInfo[]
  representations: readonly Representation[]
  /** `all` keeps every state of a text (sweeps), `last` only what `default` needs. */
  keep?: 'all' | 'last' | undefined
  outputFolder?: string | undefined
  profile?: Profile | undefined
  /** Version of scikit-learn's k-means that clustering follows; default A. */
  kmeans?: KMeansProfile | undefined
  overwriteStrategy?: OverwriteStrategy | undefined
  splits?: readonly string[] | undefined
  subsets?: readonly string[] | undefined
  languages?: readonly string[] | undefined
  /** What benchmarks ask of single tasks; a task that is not in here is asked in full. */
  selections?: ReadonlyMap<string, TaskSelection> | undefined
  /** Tasks that were asked for and cannot be run, for the plan. */
  skipped?: readonly SkippedTask[] | undefined
  /** For the sizes of what the selections ask. */
  benchmarks?: readonly Benchmark[] | undefined
  /** True: data sets that are not on this machine stay away. */
  offline?: boolean | undefined
  /** Data sets of the user's own, by the path their tasks name. */
  ownData?: OwnTasks['data'] | undefined
  /** Where corpora that do not fit in memory are laid down; default: the system's temporary folder. */
  scratch?: string | undefined
  signal?: AbortSignal | undefined
  onProgress?: OnProgress | undefined
}

/**
 * The subsets a task is asked for: of the names given for all tasks, those it has. Undefined when nothing is left – loading then says why, and
 * that becomes the task's failed result.
 */
export function subsetsOf(task: TaskInfo, { subsets, languages, selections }: SweepOptions): readonly string[] | undefined {
  const asked = selections?.get(task.name)?.subsets
  const own = (subsets ?? asked)?.filter((name) => Object.hasOwn(task.subsets, name) && (asked === undefined || asked.includes(name)))
  if (own?.length === 0) return undefined
  try {
    return chooseSubsets(task, own, languages)
  } catch {
    return undefined
  }
}

/** The splits a task is asked for: the user's, else the benchmark's, else its own. */
export function splitsOf(task: TaskInfo, { splits, selections }: SweepOptions): readonly string[] {
  return splits ?? selections?.get(task.name)?.splits ?? task.splits
}

/** Loads what is still to score in any of the arms. */
export async function loadRows(task: TaskInfo, options: SweepOptions, arms: readonly { readonly missing: Selection | undefined }[] = []): Promise<LoadedTask> {
  const { profile = 'mteb-2', signal, onProgress, languages, offline = false } = options
  const chosen = subsetsOf(task, options)
  const asked = options.selections?.get(task.name)?.subsets
  if (chosen === undefined && asked !== undefined)
    throw fault('task.empty', {
      place: task.name,
      what: 'no subset is left of those the benchmark asks for',
      seen: options.subsets ?? languages,
      wanted: asked,
    })
  const partial = arms.length > 0 && arms.every(({ missing }) => missing !== undefined)
  const wanted = partial
    ? chosen?.filter((subset) => arms.some(({ missing }) => Object.values(missing ?? {}).some((subsets) => subsets.includes(subset))))
    : chosen
  return loadTask(task, {
    openDataset: async (path, revision) =>
      options.ownData?.get(path)?.() ??
      openRepo(`${path}@${revision}`, {
        type: 'dataset',
        ...(offline ? { settings: { ...hubSettings(), offline } } : {}),
        ...(signal ? { signal } : {}),
        ...(onProgress ? { onProgress } : {}),
      }),
    ...(options.scratch === undefined ? {} : { scratch: options.scratch }),
    ...(signal ? { signal } : {}),
    ...(onProgress ? { onProgress } : {}),
    splits: splitsOf(task, options),
    // A choice that leaves nothing is refused in the words it was made in.
    ...(wanted === undefined ? { ...(options.subsets ? { subsets: options.subsets } : {}), ...(languages ? { languages } : {}) } : { subsets: wanted }),
    profile,
  })
}
