/** Which tasks a user means: names, globs, filters – checked before anything is loaded. */
import { fault, nearest } from '../core/index.ts'
import { globMatcher } from './glob.ts'
import { chooseLanguages, languageNames, speaks } from './languages.ts'
import { isTaskType, type Registry, taskRegistry } from './registry.ts'
import { type TaskInfo, taskTypes } from './task.ts'

export interface TaskFilters {
  types?: readonly string[]
  languages?: readonly string[]
  domains?: readonly string[]
}

export interface FoundTasks {
  /** In the order of the patterns, each task once. */
  readonly tasks: readonly TaskInfo[]
  /** What was read otherwise than written, for the user to see. */
  readonly notices: readonly string[]
}

/**
 * Tasks by name (case ignored) or glob (`STS*`). A glob and the filters only ever yield tasks that can be run; a task that is named is kept whatever
 * the filters say, so that it fails by name instead of vanishing. Throws `task.unknown` (with the nearest name) and `task.unsupported`.
 */
export async function findTasks(patterns: readonly string[], { types, languages, domains }: TaskFilters = {}): Promise<FoundTasks> {
  const registry = await taskRegistry()
  for (const type of types ?? []) checkType(type, registry)
  const known = languageNames([...registry.tasks.values()].flatMap(({ subsets }) => Object.values(subsets).flat()))
  const choice = languages === undefined ? undefined : chooseLanguages(languages, known)
  const passes = ({ type, subsets, domains: own }: TaskInfo): boolean =>
    (types === undefined || types.includes(type)) &&
    (choice === undefined || Object.values(subsets).some((of) => speaks(of, choice.codes))) &&
    (domains === undefined || own.some((domain) => domains.some((wanted) => wanted.toLowerCase() === domain.toLowerCase())))

  const found = new Set<TaskInfo>()
  for (const pattern of patterns) {
    if (/[*?[{]/.test(pattern)) for (const task of matching(pattern, registry, passes)) found.add(task)
    else found.add(named(pattern, registry))
  }
  if (found.size === 0) throw fault('task.unknown', { place: 'tasks', what: 'no task passes the filters', seen: { patterns, types, languages, domains } })
  return { tasks: [...found], notices: choice?.notices ?? [] }
}

function named(name: string, { tasks, others }: Registry): TaskInfo {
  const task = tasks.get(name) ?? ignoringCase(name, tasks)
  if (task !== undefined) {
    if (task.unsupported !== undefined) throw fault('task.unsupported', { place: task.name, what: `this task cannot be run yet: ${task.unsupported}` })
    return task
  }
  const type = others.get(name) ?? ignoringCase(name, others)
  if (type !== undefined) throw fault('task.unsupported', { place: name, what: `tasks of the type ${type} cannot be run yet`, wanted: taskTypes.join(', ') })
  const near = nearest(name, [...tasks.keys(), ...others.keys()])
  throw fault('task.unknown', { place: name, what: 'no such task', hint: near === undefined ? 'strata tasks lists what there is' : `did you mean ${near}?` })
}

function matching(pattern: string, { tasks, others }: Registry, passes: (task: TaskInfo) => boolean): TaskInfo[] {
  const matches = globMatcher(pattern, { ignoreCase: true })
  const all = [...tasks.values()].filter(({ name }) => matches(name))
  const runnable = all.filter((task) => task.unsupported === undefined)
  if (runnable.length > 0) return runnable.filter(passes)
  const other = all[0] ?? [...others].flatMap(([name, type]) => (matches(name) ? [{ name, type }] : []))[0]
  if (other === undefined) throw fault('task.unknown', { place: pattern, what: 'no task has such a name', hint: 'strata tasks lists what there is' })
  throw fault('task.unsupported', {
    place: pattern,
    what: 'what this matches cannot be run yet',
    seen: `${other.name} (${other.type})`,
    wanted: taskTypes.join(', '),
  })
}

function ignoringCase<Value>(name: string, table: ReadonlyMap<string, Value>): Value | undefined {
  const wanted = name.toLowerCase()
  for (const [known, value] of table) if (known.toLowerCase() === wanted) return value
  return undefined
}

function checkType(type: string, { others }: Registry): void {
  if (isTaskType(type)) return
  const known = [...taskTypes, ...new Set(others.values())]
  if (known.includes(type))
    throw fault('task.unsupported', { place: '--types', what: 'tasks of this type cannot be run yet', seen: type, wanted: taskTypes.join(', ') })
  const near = nearest(type, known)
  throw fault('task.unknown', {
    place: '--types',
    what: 'no such type of task',
    seen: type,
    hint: near === undefined ? `types: ${known.join(', ')}` : `did you mean ${near}?`,
  })
}
