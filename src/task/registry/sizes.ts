/**
 * How large tasks are before anything of them is on this machine: different texts and characters, as the reference
 * counted them.
 */
import type { Benchmark } from './benchmarks.ts'
import type { TaskSelection, TaskInfo } from '#task/rows'

export interface TaskSize {
  readonly texts: number
  readonly characters: number
  /** False: a share of a count over more subsets. */
  readonly exact: boolean
}

type Pair = readonly [texts: number, characters: number]

interface Table {
  readonly tasks: Readonly<Record<string, Readonly<Record<string, Pair>>>>
  readonly benchmarks: Readonly<Record<string, Readonly<Record<string, Pair>>>>
}

let read: Promise<Table> | undefined

function table(): Promise<Table> {
  read ??= import('./sizes.json', { with: { type: 'json' } }).then(({ default: file }) => file as unknown as Table)
  return read
}

/** Size by split, of all subsets together; empty when it is not known. */
export async function splitSizes(task: string): Promise<Readonly<Record<string, TaskSize>>> {
  const { tasks } = await table()
  const own = Object.hasOwn(tasks, task) ? (tasks[task] ?? {}) : {}
  return Object.fromEntries(
    Object.entries(own).map(([split, [texts, characters]]) => [split, { texts, characters, exact: true }]),
  )
}

/** Texts of a task in all of its splits, and in those of its members; 0 where none are counted. */
export async function textsIn({ name, members = [] }: TaskInfo): Promise<number> {
  const counted = await Promise.all([name, ...members].map(splitSizes))
  return counted.flatMap((sizes) => Object.values(sizes)).reduce((total, { texts }) => total + texts, 0)
}

/**
 * How much a task asks: texts and characters, counted for a benchmark's own selection, otherwise a share of the whole;
 * for an aggregate, those of its members. Undefined where it is not known.
 *
 * @example
 * ```ts
 * import { findTasks, taskSize } from 'strata-lm/tasks'
 *
 * const [task] = (await findTasks(['STSBenchmark'])).tasks
 * console.log(task && (await taskSize(task))?.texts) // → 2593
 * ```
 */
export async function taskSize(
  task: TaskInfo,
  { splits = task.splits, subsets }: TaskSelection = {},
  benchmarks: readonly Benchmark[] = [],
): Promise<TaskSize | undefined> {
  if (task.members !== undefined)
    return sumOf(await Promise.all(task.members.map(async (member) => Object.values(await splitSizes(member)))))
  const all = Object.keys(task.subsets)
  const narrower = subsets !== undefined && subsets.length < all.length
  if (narrower) {
    const counted = await table()
    const same = benchmarks.find((one) => one.tasks.get(task.name)?.subsets?.join('\n') === subsets.join('\n'))
    const pair = same === undefined ? undefined : counted.benchmarks[same.name]?.[task.name]
    if (pair !== undefined) return { texts: pair[0], characters: pair[1], exact: true }
  }
  const known = await splitSizes(task.name)
  const parts = splits.map((split) => known[split])
  if (parts.length === 0 || parts.includes(undefined)) return undefined
  const share = narrower ? subsets.length / all.length : 1
  const sum = (of: (size: TaskSize) => number): number =>
    Math.round(share * parts.reduce((total, part) => total + (part === undefined ? 0 : of(part)), 0))
  return { texts: sum(({ texts }) => texts), characters: sum(({ characters }) => characters), exact: !narrower }
}

/** Undefined as soon as one member's size is not known. */
function sumOf(members: readonly (readonly TaskSize[])[]): TaskSize | undefined {
  if (members.some((sizes) => sizes.length === 0)) return undefined
  const sum = (of: (size: TaskSize) => number): number => members.flat().reduce((total, size) => total + of(size), 0)
  return { texts: sum(({ texts }) => texts), characters: sum(({ characters }) => characters), exact: true }
}
