/** Which tasks a user means: names, globs, filters – checked before anything is loaded. */
import { fault, nearest } from '../core/index.ts'
import { globMatcher } from './glob.ts'
import { chooseLanguages, languageNames, speaks } from './languages.ts'
import { type Registry, taskRegistry } from './registry.ts'
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
  for (const type of types ?? []) checkType(type)
  const choice = languages === undefined ? undefined : chooseLanguages(languages, languagesOf(registry))
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

function languagesOf(registry: Registry): Set<string> {
  return languageNames(new Set([...registry.values()].flatMap(({ subsets }) => Object.values(subsets).flat())))
}

function named(name: string, registry: Registry): TaskInfo {
  const task = registry.get(name) ?? ignoringCase(name, registry)
  if (task === undefined) {
    const near = nearest(name, [...registry.keys()])
    throw fault('task.unknown', { place: name, what: 'no such task', hint: near === undefined ? 'strata tasks lists what there is' : `did you mean ${near}?` })
  }
  if (task.unsupported !== undefined) throw fault('task.unsupported', { place: task.name, what: `this task cannot be run yet: ${task.unsupported}` })
  return task
}

function matching(pattern: string, registry: Registry, passes: (task: TaskInfo) => boolean): TaskInfo[] {
  const matches = globMatcher(pattern, { ignoreCase: true })
  const all = [...registry.values()].filter(({ name }) => matches(name))
  const runnable = all.filter((task) => task.unsupported === undefined)
  if (runnable.length > 0) return runnable.filter(passes)
  const [other] = all
  if (other === undefined) throw fault('task.unknown', { place: pattern, what: 'no task has such a name', hint: 'strata tasks lists what there is' })
  throw fault('task.unsupported', { place: pattern, what: 'what this matches cannot be run yet', seen: `${other.name}: ${other.unsupported ?? ''}` })
}

function ignoringCase<Value>(name: string, table: ReadonlyMap<string, Value>): Value | undefined {
  const wanted = name.toLowerCase()
  for (const [known, value] of table) if (known.toLowerCase() === wanted) return value
  return undefined
}

function checkType(type: string): void {
  if ((taskTypes as readonly string[]).includes(type)) return
  const near = nearest(type, taskTypes)
  throw fault('task.unknown', {
    place: '--types',
    what: 'no such type of task',
    seen: type,
    hint: near === undefined ? `types: ${taskTypes.join(', ')}` : `did you mean ${near}?`,
  })
}
