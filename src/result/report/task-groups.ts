/** Groups of tasks: by their type where it is known, otherwise by the beginning that their names share. */
import type { ReportTask } from './collect.ts'

export interface TaskGroup {
  readonly name: string
  readonly tasks: readonly ReportTask[]
}

/** A beginning that fewer tasks share is no group. */
const fewest = 3
/** Name of the tasks that are in no group. */
const others = 'others'

/** The largest first, tasks of no group last; one group where nothing divides them. */
export function groupTasks(tasks: readonly ReportTask[]): TaskGroup[] {
  const names = namesOf(tasks)
  const groups = new Map<string, ReportTask[]>()
  tasks.forEach((task, at) => {
    const name = names[at] ?? others
    groups.set(name, [...(groups.get(name) ?? []), task])
  })
  return [...groups]
    .map(([name, own]) => ({ name, tasks: own }))
    .toSorted((a, b) => Number(a.name === others) - Number(b.name === others) || b.tasks.length - a.tasks.length)
}

function namesOf(tasks: readonly ReportTask[]): string[] {
  if (tasks.some(({ type }) => type !== '')) return tasks.map(({ type }) => (type === '' ? others : type))
  const firsts = shared(tasks.map(({ name }) => segments(name).slice(0, 1)))
  const sizes = count(firsts)
  const [largest = ''] = [...sizes.keys()].toSorted((a, b) => (sizes.get(b) ?? 0) - (sizes.get(a) ?? 0))
  // a suite of suites, such as leaderboard_bbh_…, is divided once more
  const inner = shared(tasks.map(({ name }, at) => (firsts[at] === largest ? segments(name).slice(0, 2) : [])))
  const divided = inner.filter((name, at) => firsts[at] === largest && name !== others).length
  const parts = new Set(inner.filter((name) => name !== others)).size
  const size = sizes.get(largest) ?? 0
  return parts > 1 && 3 * size >= 2 * tasks.length && 3 * divided >= 2 * size
    ? firsts.map((name, at) => (name === largest ? (inner[at] ?? others) : name))
    : firsts
}

/** `blimp`, `adjunct`, `island` */
function segments(name: string): string[] {
  return name.split(/[_-]/)
}

/** Beginnings that enough tasks share; the others are in no group. */
function shared(beginnings: readonly (readonly string[])[]): string[] {
  const names = beginnings.map((parts) => (parts.length === 0 ? others : parts.join('_')))
  const sizes = count(names)
  return names.map((name) => ((sizes.get(name) ?? 0) < fewest ? others : name))
}

function count(names: readonly string[]): Map<string, number> {
  const sizes = new Map<string, number>()
  for (const name of names) sizes.set(name, (sizes.get(name) ?? 0) + 1)
  return sizes
}
