/** Benchmarks by name: lists of tasks, some of them narrowed to splits and subsets. Read once, when first asked for. */
import { fault, nearest } from '#core'
import type { TaskSelection } from '#task/rows'

export interface Benchmark {
  readonly name: string
  readonly aliases: readonly string[]
  /** In the benchmark's order. */
  readonly tasks: ReadonlyMap<string, TaskSelection>
}

interface Table {
  readonly benchmarks: Readonly<
    Record<string, { aliases?: readonly string[]; tasks: Readonly<Record<string, TaskSelection>> }>
  >
}

let read: Promise<readonly Benchmark[]> | undefined

/**
 * Every benchmark of the reference whose tasks are all in the registry.
 *
 * @example
 * ```ts
 * import { allBenchmarks } from 'strata-lm/tasks'
 *
 * console.log((await allBenchmarks()).some(({ name }) => name === 'MTEB(eng, v2)')) // → true
 * ```
 */
export function allBenchmarks(): Promise<readonly Benchmark[]> {
  read ??= import('./benchmarks.json', { with: { type: 'json' } }).then(({ default: file }) =>
    Object.entries((file as unknown as Table).benchmarks).map(([name, { aliases = [], tasks }]) => ({
      name,
      aliases,
      tasks: new Map(Object.entries(tasks)),
    })),
  )
  return read
}

/**
 * A benchmark by name or alias, whatever the case and blanks. Throws `task.unknown` with the nearest name.
 *
 * @example
 * ```ts
 * import { benchmarkNamed } from 'strata-lm/tasks'
 *
 * const { tasks } = await benchmarkNamed('mteb(eng, v2)')
 * console.log(tasks.size) // → 41
 * ```
 */
export async function benchmarkNamed(name: string): Promise<Benchmark> {
  const all = await allBenchmarks()
  const plain = (text: string): string => text.toLowerCase().replace(/\s+/g, '')
  const found = all.find((one) => [one.name, ...one.aliases].some((known) => plain(known) === plain(name)))
  if (found !== undefined) return found
  const near = nearest(
    name,
    all.flatMap((one) => [one.name, ...one.aliases]),
  )
  throw fault('task.unknown', {
    place: '--benchmark',
    what: 'no such benchmark',
    seen: name,
    hint: near === undefined ? 'strata tasks --benchmarks lists them' : `did you mean "${near}"?`,
  })
}

/** What several benchmarks together ask of a task: everything that one of them asks. */
export function unionOf(a: TaskSelection | undefined, b: TaskSelection): TaskSelection {
  if (a === undefined) return b
  const both = (x: readonly string[] | undefined, y: readonly string[] | undefined): readonly string[] | undefined =>
    x === undefined || y === undefined ? undefined : [...new Set([...x, ...y])]
  return { splits: both(a.splits, b.splits), subsets: both(a.subsets, b.subsets) }
}
