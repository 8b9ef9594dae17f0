/** From names, tags, groups, globs and paths to tasks: groups as trees, every task with its settings merged. */
import { resolve } from 'node:path'
import { stat } from 'node:fs/promises'
import { compareCodePoints, fault, suggestion } from '#core'
import { isObject } from '#files/formats'
import { globMatcher } from '#task/rows'
import { type Entry, entryOfFile, indexTasks, type IndexOptions, type TaskIndex } from './index-tasks.ts'
import { type Config, readConfig } from './read-config.ts'
import { type TaskConfig, taskConfig } from './task-config.ts'

/** What a group says of the mean over its tasks. */
export interface GroupMetric {
  readonly metric: string
  readonly weightBySize: boolean
  /** Absent: every filter that its tasks have. */
  readonly filters: readonly string[] | undefined
}

export interface GroupNode {
  readonly kind: 'group'
  readonly name: string
  readonly alias: string
  readonly version: unknown
  readonly metrics: readonly GroupMetric[]
  readonly members: readonly Node[]
}

export interface TaskNode {
  readonly kind: 'task'
  readonly name: string
  readonly config: TaskConfig
  /** Its file, or `inline`. */
  readonly source: string
}

export type Node = GroupNode | TaskNode

export interface ChooseOptions {
  /** Merged into every task's metadata (`--metadata`). */
  readonly metadata?: Config | undefined
}

/**
 * The trees that `names` mean, in their order. A task that two of them reach is refused, as the reference refuses it.
 * Faults: `task.unknown`, `usage.value`, `usage.conflict`, `task.unsupported`, `format.yaml`.
 */
export async function chooseTasks(
  names: readonly string[],
  index: TaskIndex,
  options: ChooseOptions & IndexOptions,
): Promise<Node[]> {
  const build = builder(index, options)
  const nodes: Node[] = []
  for (const name of names.flatMap((word) => named(word, index))) nodes.push(...(await build(name)))
  checkTwice(nodes)
  return nodes
}

/**
 * The tasks of trees, left to right, each once.
 *
 * @example
 * ```ts
 * import { openTasks, tasksOf } from 'strata-lm/harness'
 *
 * const nodes = await openTasks(['tales'], { cache: 'cache', includePaths: ['tasks'] })
 * console.log(tasksOf(nodes).length) // → 1
 * ```
 */
export function tasksOf(nodes: readonly Node[]): TaskNode[] {
  const all = nodes.flatMap((node) => (node.kind === 'task' ? [node] : tasksOf(node.members)))
  return [...new Map(all.map((node) => [node.name, node])).values()]
}

/**
 * The groups of trees, each before those inside it.
 *
 * @example
 * ```ts
 * import { groupsOf, openTasks } from 'strata-lm/harness'
 *
 * const nodes = await openTasks(['tales'], { cache: 'cache', includePaths: ['tasks'] })
 * console.log(groupsOf(nodes).map(({ name }) => name)) // → [ 'tales' ]
 * ```
 */
export function groupsOf(nodes: readonly Node[]): GroupNode[] {
  return nodes.flatMap((node) => (node.kind === 'group' ? [node, ...groupsOf(node.members)] : []))
}

function named(word: string, { entries }: TaskIndex): string[] {
  if (entries.has(word) || !/[*?[]/.test(word) || /[/\\]/.test(word)) return [word]
  const fits = globMatcher(word)
  const found = [...entries.keys()].filter(fits).sort(compareCodePoints)
  if (found.length === 0)
    throw fault('task.unknown', { place: '--tasks', what: 'no task of the harness fits the pattern', seen: word })
  return found
}

type Build = (name: string) => Promise<Node[]>

function builder(index: TaskIndex, { metadata = {}, ...options }: ChooseOptions & IndexOptions): Build {
  const { entries } = index

  const task = async (entry: Entry, overrides: Config): Promise<TaskNode> => {
    if (entry.kind === 'class')
      throw fault('task.unsupported', {
        place: entry.name,
        what: 'the task is a Python class, which is not run',
        seen: entry.path,
      })
    return taskNode({ ...(await readConfig(entry.path, entry.root)), ...overrides }, entry.path)
  }

  const taskNode = (raw: Config, source: string): TaskNode => {
    const { tag: _, group: __, task_list: ___, ...own } = raw
    const said = isObject(own['metadata'])
      ? own['metadata']
      : own['metadata'] === undefined
        ? {}
        : { _metadata: own['metadata'] }
    const config = taskConfig({ ...own, metadata: { ...said, ...metadata, config_source: source } }, source)
    return { kind: 'task', name: config.task, config, source }
  }

  const group = async (name: string, raw: Config, overrides: Config, above: readonly string[]): Promise<GroupNode> => {
    if (above.includes(name))
      throw fault('usage.value', { place: name, what: 'a group contains itself', seen: [...above, name] })
    const {
      group: _,
      group_alias: alias,
      task: members,
      aggregate_metric_list: metrics,
      metadata: said,
      tag: __,
      ...pushed
    } = raw
    const passed = { ...pushed, ...overrides }
    const nodes: Node[] = []
    for (const member of Array.isArray(members) ? members : typeof members === 'string' ? [members] : [])
      nodes.push(...(await memberOf(member, name, passed, [...above, name])))
    const about = { ...(isObject(said) ? said : {}), ...metadata }
    return {
      kind: 'group',
      name,
      alias: typeof alias === 'string' ? alias : name,
      version: about['version'],
      metrics: groupMetrics(metrics, name),
      members: nodes,
    }
  }

  const memberOf = async (
    member: unknown,
    parent: string,
    overrides: Config,
    above: readonly string[],
  ): Promise<Node[]> => {
    if (typeof member === 'string') return reference(member, parent, overrides, above)
    if (!isObject(member))
      throw fault('usage.value', {
        place: parent,
        what: 'a member of a group is neither a name nor a map',
        seen: member,
      })
    const { group: inner } = member
    if (typeof inner === 'string') {
      const entry = entries.get(inner)
      const { group: _, ...rest } = member
      if (entry !== undefined) return built(entry, { ...overrides, ...rest }, above)
      return [await group(`${parent}::${inner}`, member, overrides, above)]
    }
    const { task: name } = member
    if (typeof name !== 'string')
      throw fault('usage.value', {
        place: parent,
        what: 'a member of a group says neither task nor group',
        seen: Object.keys(member),
      })
    return reference(name, parent, { ...overrides, ...member }, above)
  }

  const reference = async (
    name: string,
    parent: string,
    overrides: Config,
    above: readonly string[],
  ): Promise<Node[]> => {
    const entry = entries.get(name)
    return entry === undefined
      ? [taskNode({ ...overrides, task: `${parent}::${name}` }, 'inline')]
      : built(entry, overrides, above)
  }

  const built = async (entry: Entry, overrides: Config, above: readonly string[]): Promise<Node[]> => {
    switch (entry.kind) {
      case 'group':
        return [await group(entry.name, await readConfig(entry.path, entry.root), overrides, above)]
      case 'tag': {
        const { task: _, ...shared } = overrides
        return Promise.all(entry.tasks.flatMap((name) => entries.get(name) ?? []).map(async (own) => task(own, shared)))
      }
      case 'task':
      case 'class':
        return [await task(entry, overrides)]
      default:
        return entry.kind satisfies never
    }
  }

  return async (word) => {
    const entry = entries.get(word) ?? (/[/\\]|\.ya?ml$/.test(word) ? await fromPath(word) : undefined)
    if (entry === undefined) throw unknown(word, index)
    return Array.isArray(entry)
      ? (await Promise.all(entry.map(async (own) => built(own, {}, [])))).flat()
      : built(entry, {}, [])
  }

  async function fromPath(word: string): Promise<Entry | Entry[] | undefined> {
    const facts = await stat(word).catch(() => undefined)
    if (facts?.isDirectory() !== true) return entryOfFile(word)
    const inside = await indexTasks([resolve(word)], options)
    return [...inside.entries.values()].filter(({ kind }) => kind === 'task')
  }
}

function unknown(word: string, { entries, broken }: TaskIndex): Error {
  const unread = broken.find(({ path }) => path.toLowerCase().includes(word.toLowerCase()))
  return fault('task.unknown', {
    place: '--tasks',
    what: 'the harness has no task, group or tag of this name',
    seen: word,
    hint:
      entries.size === 0
        ? 'no task files are here: strata tasks --harness fetch'
        : unread === undefined
          ? suggestion(word, [...entries.keys()])
          : `${unread.path}: ${unread.reason}`,
  })
}

function groupMetrics(raw: unknown, group: string): GroupMetric[] {
  if (raw === undefined || raw === null) return []
  return (Array.isArray(raw) ? raw : [raw]).map((own: unknown) => {
    if (!isObject(own) || typeof own['metric'] !== 'string')
      throw fault('usage.value', {
        place: `${group} › aggregate_metric_list`,
        what: 'a mean over tasks names no metric',
        seen: own,
      })
    const { metric, aggregation = 'mean', weight_by_size: weight = true, filter_list: filters } = own
    if (aggregation !== 'mean')
      throw fault('usage.value', {
        place: `${group} › aggregate_metric_list`,
        what: 'a group is only ever a mean',
        seen: aggregation,
        wanted: 'mean',
      })
    return {
      metric,
      weightBySize: weight === true,
      filters: filters === undefined || filters === null ? undefined : [filters].flat().map(String),
    }
  })
}

function checkTwice(nodes: readonly Node[]): void {
  const seen = new Map<string, string>()
  for (const node of nodes)
    for (const { name } of tasksOf([node])) {
      const first = seen.get(name)
      if (first !== undefined && first !== node.name)
        throw fault('usage.conflict', {
          place: '--tasks',
          what: `two of the names reach the task ${name}`,
          seen: [first, node.name],
          hint: 'leave one of them out',
        })
      if (first === node.name)
        throw fault('usage.conflict', { place: '--tasks', what: 'a task is named twice', seen: name })
      seen.set(name, node.name)
    }
}
