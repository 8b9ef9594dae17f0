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
  const { metadata = {}, ...others } = options
  const builder: Builder = { index, entries: index.entries, options: others, metadata }
  const nodes: Node[] = []
  for (const name of names.flatMap((word) => named(word, index))) nodes.push(...(await build(builder, name)))
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
  return [...byName(collectLeaves(nodes)).values()]
}

/** The tasks of trees, left to right; a task in several groups stands there once for each. */
export function collectLeaves(nodes: readonly Node[]): TaskNode[] {
  return nodes.flatMap((node) => (node.kind === 'task' ? [node] : collectLeaves(node.members)))
}

/** Each name once: where it first stood, as it was last said. */
function byName<Own extends Node>(nodes: readonly Own[]): Map<string, Own> {
  return new Map(nodes.map((node) => [node.name, node]))
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

/** What every tree is built from. */
interface Builder extends Pick<TaskIndex, 'entries'> {
  readonly index: TaskIndex
  readonly options: IndexOptions
  readonly metadata: Config
}

async function build(builder: Builder, word: string): Promise<Node[]> {
  const named = builder.entries.get(word)
  const entry = named ?? (/[/\\]|\.ya?ml$/.test(word) ? await fromPath(word, builder.options) : undefined)
  if (entry === undefined) throw unknown(word, builder.index)
  return Array.isArray(entry)
    ? (await Promise.all(entry.map(async (own) => built(builder, own, {}, [])))).flat()
    : built(builder, entry, {}, [])
}

async function fromPath(word: string, options: IndexOptions): Promise<Entry | Entry[] | undefined> {
  const facts = await stat(word).catch(() => undefined)
  if (facts?.isDirectory() !== true) return entryOfFile(word)
  const inside = await indexTasks([resolve(word)], options)
  return [...inside.entries.values()].filter(({ kind }) => kind === 'task')
}

/** `above`: the groups that it stands in. */
async function built(builder: Builder, entry: Entry, overrides: Config, above: readonly string[]): Promise<Node[]> {
  switch (entry.kind) {
    case 'group':
      return [await group(builder, entry.name, await readConfig(entry.path, entry.root), { overrides, above })]
    case 'tag': {
      const { task: _, ...shared } = overrides
      const tasks = entry.tasks.flatMap((name) => builder.entries.get(name) ?? [])
      return Promise.all(tasks.map(async (own) => task(builder, own, shared)))
    }
    case 'task':
    case 'class':
      return [await task(builder, entry, overrides)]
    default:
      return entry.kind satisfies never
  }
}

async function task(builder: Builder, entry: Entry, overrides: Config): Promise<TaskNode> {
  if (entry.kind === 'class')
    throw fault('task.unsupported', {
      place: entry.name,
      what: 'the task is a Python class, which is not run',
      seen: entry.path,
    })
  return taskNode(builder, { ...(await readConfig(entry.path, entry.root)), ...overrides }, entry.path)
}

function taskNode({ metadata }: Builder, raw: Config, source: string): TaskNode {
  const { tag: _, group: __, task_list: ___, ...own } = raw
  const said = own['metadata'] === undefined ? {} : { _metadata: own['metadata'] }
  const about = isObject(own['metadata']) ? own['metadata'] : said
  const config = taskConfig({ ...own, metadata: { ...about, ...metadata, config_source: source } }, source)
  return { kind: 'task', name: config.task, config, source }
}

/** What a group hands down to its members. */
interface Handed {
  readonly overrides: Config
  /** The groups that they stand in. */
  readonly above: readonly string[]
}

async function group(builder: Builder, name: string, raw: Config, { overrides, above }: Handed): Promise<GroupNode> {
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
  const handed = { overrides: { ...pushed, ...overrides }, above: [...above, name] }
  const nodes: Node[] = []
  const listed: unknown[] = typeof members === 'string' ? [members] : []
  for (const member of Array.isArray(members) ? members : listed)
    nodes.push(...(await memberOf(builder, member, name, handed)))
  const about = { ...(isObject(said) ? said : {}), ...builder.metadata }
  return {
    kind: 'group',
    name,
    alias: typeof alias === 'string' ? alias : name,
    version: about['version'],
    metrics: groupMetrics(metrics, name),
    // a group has a member once, however often it names it
    members: [...byName(nodes).values()],
  }
}

async function memberOf(builder: Builder, member: unknown, parent: string, handed: Handed): Promise<Node[]> {
  const { overrides, above } = handed
  if (typeof member === 'string') return reference(builder, member, parent, handed)
  if (!isObject(member))
    throw fault('usage.value', {
      place: parent,
      what: 'a member of a group is neither a name nor a map',
      seen: member,
    })
  const { group: inner } = member
  if (typeof inner === 'string') {
    const entry = builder.entries.get(inner)
    const { group: _, ...rest } = member
    if (entry !== undefined) return built(builder, entry, { ...overrides, ...rest }, above)
    return [await group(builder, `${parent}::${inner}`, member, handed)]
  }
  const { task: name } = member
  if (typeof name !== 'string')
    throw fault('usage.value', {
      place: parent,
      what: 'a member of a group says neither task nor group',
      seen: Object.keys(member),
    })
  return reference(builder, name, parent, { overrides: { ...overrides, ...member }, above })
}

async function reference(
  builder: Builder,
  name: string,
  parent: string,
  { overrides, above }: Handed,
): Promise<Node[]> {
  const entry = builder.entries.get(name)
  return entry === undefined
    ? [taskNode(builder, { ...overrides, task: `${parent}::${name}` }, 'inline')]
    : built(builder, entry, overrides, above)
}

function unknown(word: string, { entries, broken }: TaskIndex): Error {
  const meant = broken.find(({ path }) => path.toLowerCase().includes(word.toLowerCase()))
  const unread = meant ?? (entries.size === 0 ? broken[0] : undefined)
  const near =
    entries.size === 0 ? 'no task files are here: strata tasks --harness fetch' : suggestion(word, [...entries.keys()])
  return fault('task.unknown', {
    place: '--tasks',
    what: 'the harness has no task, group or tag of this name',
    seen: word,
    hint: unread === undefined ? near : `a task file could not be read: ${unread.path}: ${unread.reason}`,
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
