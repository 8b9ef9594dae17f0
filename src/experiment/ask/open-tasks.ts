/** Inputs of a harness run: task files by the names of their tasks, data sets by theirs. */
import { stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { type CallOptions, fault, suggestion } from '#core'
import { type HubSettings, openRepo } from '#files/hub'
import { chooseTasks, indexTasks, type Node, type TaskIndex, tasksOf } from '#task/harness'
import type { OpenDataset } from '#task/rows'
import { harnessHome, taskRoots } from './task-roots.ts'

export interface OpenTasksOptions extends CallOptions {
  /** Folder of this program's caches. */
  readonly cache: string
  /** Folders with the user's own task files. */
  readonly includePaths?: readonly string[] | undefined
  /** Merged into every task's metadata. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
}

/**
 * Every task, group and tag that can be named: those of lm-evaluation-harness, where they are fetched or installed, and
 * those of your own folders, which override them. `cache`: folder of Strata's caches. Throws `file.missing` for a
 * folder that does not exist.
 *
 * @example
 * ```ts
 * import { openTaskIndex } from 'strata-lm/harness'
 *
 * const index = await openTaskIndex({ cache: 'cache', includePaths: ['tasks'] })
 * console.log(index.entries.get('endings')?.kind) // → task
 * ```
 */
export async function openTaskIndex({ cache, includePaths, onProgress }: OpenTasksOptions): Promise<TaskIndex> {
  return indexTasks(taskRoots({ cache, includePaths }), { cache: join(harnessHome(cache), 'index'), onProgress })
}

/**
 * Trees of the named items: tasks, groups, tags, patterns, files. Throws `task.unknown` with the nearest name,
 * `format.yaml`, `usage.value` for a task file that does not fit, `file.missing`.
 *
 * @example
 * ```ts
 * import { openTasks, tasksOf } from 'strata-lm/harness'
 *
 * const nodes = await openTasks(['tales'], { cache: 'cache', includePaths: ['tasks'] })
 * console.log(tasksOf(nodes).map(({ name }) => name)) // → [ 'endings' ]
 * ```
 */
export async function openTasks(names: readonly string[], options: OpenTasksOptions): Promise<readonly Node[]> {
  return chooseTasks(names, await openTaskIndex(options), {
    cache: join(harnessHome(options.cache), 'index'),
    metadata: options.metadata,
    onProgress: options.onProgress,
  })
}

/**
 * Throws `usage.value` for documents of a task that nobody knows, with the nearest name: all documents of the task that
 * was meant would be asked. Names of other tasks may stand there: one file serves many runs.
 */
export async function checkSampleNames(
  names: readonly string[],
  nodes: readonly Node[],
  options: OpenTasksOptions,
): Promise<void> {
  const asked = tasksOf(nodes).map(({ name }) => name)
  const foreign = names.filter((name) => !asked.includes(name))
  if (foreign.length === 0) return
  const { entries } = await openTaskIndex(options)
  const unknown = foreign.find((name) => !entries.has(name))
  if (unknown !== undefined)
    throw fault('usage.value', {
      place: '--samples',
      what: 'no task of the harness has this name',
      seen: unknown,
      hint: suggestion(unknown, [...asked, ...entries.keys()]),
    })
}

/** Data sets from the hub or from local folders. */
export function openData({
  signal,
  onProgress,
  settings,
}: CallOptions & { readonly settings?: HubSettings }): OpenDataset {
  return async (path, revision) => {
    const facts = await stat(path).catch(() => undefined)
    return openRepo(facts?.isDirectory() === true ? resolve(path) : `${path}@${revision}`, {
      type: 'dataset',
      settings,
      signal,
      onProgress,
    })
  }
}
