/** Tasks of the user's own: from YAML files, or from folders as BEIR lays them out. */
import { readFile, stat } from 'node:fs/promises'
import { asFault, fault } from '#core'
import { locateYaml, parseWith, parseYaml, yamlDocuments } from '#files/formats'
import type { DatasetFiles, TaskInfo } from '#task/rows'
import { defaultParams, taskRegistry } from '../registry.ts'
import { beirFolder, folderName } from './beir-folder.ts'
import { documentSchema, type TaskText } from './schema.ts'
import { type Found, taskOf } from './task-of.ts'

export interface OwnTasks {
  /** In the order of the files, and of the documents in them. */
  readonly tasks: readonly TaskInfo[]
  /** Their data sets, by the path that the tasks name. */
  readonly data: ReadonlyMap<string, () => Promise<DatasetFiles>>
}

/** True for what can only be a file or folder, as no task has a slash in its name. */
export function isTaskPath(name: string): boolean {
  return /[/\\]|\.ya?ml$/i.test(name) || name === '.' || name === '..'
}

/**
 * Tasks of your own: reads task files and BEIR folders, and hashes every file they name. Throws `usage.value` for what
 * does not fit the schema, with its place in the file, `usage.conflict` for a name that is taken, `file.missing`,
 * `format.yaml`, `task.split`.
 *
 * @example
 * ```ts
 * import { readTaskFiles } from 'strata-lm/tasks'
 *
 * const { tasks } = await readTaskFiles(['pairs.yaml'])
 * console.log(tasks[0]?.name, tasks[0]?.splits) // → pairs [ 'test' ]
 * ```
 */
export async function readTaskFiles(paths: readonly string[]): Promise<OwnTasks> {
  const tasks: TaskInfo[] = []
  const data = new Map<string, () => Promise<DatasetFiles>>()
  const registry = await taskRegistry()
  const add = ({ task, files }: Found, place: string): void => {
    if (registry.has(task.name))
      throw fault('usage.conflict', {
        place,
        what: 'a task of the registry has this name',
        seen: task.name,
        hint: 'choose another name in a task file',
      })
    if (tasks.some(({ name }) => name === task.name))
      throw fault('usage.conflict', { place, what: 'two tasks have this name', seen: task.name })
    tasks.push(task)
    if (files !== undefined) data.set(task.dataset.path, files)
  }
  for (const path of paths) {
    const facts = await stat(path).catch((error: unknown) => {
      throw fault('file.missing', { place: path, what: 'no such task file or folder', cause: error })
    })
    if (facts.isDirectory()) {
      add(await folderTask(path), path)
      continue
    }
    const text = await readFile(path, 'utf8').catch((error: unknown) => {
      throw asFault(error, 'file.unreadable', path)
    })
    for (const { found, place } of await fileTasks(text, path)) add(found, place)
  }
  return { tasks, data }
}

async function fileTasks(text: string, path: string): Promise<{ found: Found; place: string }[]> {
  const documents = yamlDocuments(text)
  if (documents.length === 0) throw fault('usage.value', { place: path, what: 'no task in this file' })
  const read = documents.map((document) => ({ document, tasks: tasksOf(document, path) }))
  const several = read.flatMap(({ tasks }) => tasks).length > 1
  const found: { found: Found; place: string }[] = []
  for (const { document, tasks } of read)
    for (const { task, within } of tasks) {
      const at = (keys: readonly PropertyKey[]): string => locateYaml(document, path, [...within, ...keys])
      found.push({
        found: await taskOf(task, { file: path, path: several ? `${path}#${task.name}` : path, at }),
        place: at(['name']),
      })
    }
  return found
}

/** The tasks of one document, with where each stands in it. */
function tasksOf(document: string, path: string): { task: TaskText; within: readonly PropertyKey[] }[] {
  const checked = parseWith(documentSchema(parseYaml(document, path)), document, 'yaml', path) as
    | TaskText
    | readonly TaskText[]
  return isOne(checked) ? [{ task: checked, within: [] }] : checked.map((task, i) => ({ task, within: [i] }))
}

function isOne(checked: TaskText | readonly TaskText[]): checked is TaskText {
  return !Array.isArray(checked)
}

/** Split `test` where there is one, as in the benchmark; otherwise all but `train`. */
async function folderTask(folder: string): Promise<Found> {
  const beir = await beirFolder(folder)
  if (beir === undefined)
    throw fault('task.split', {
      place: folder,
      what: 'not a BEIR folder',
      wanted: 'corpus.jsonl, queries.jsonl, qrels/<split>.tsv',
      hint: 'describe other data in a task file',
    })
  return {
    task: {
      name: folderName(folder),
      type: 'Retrieval',
      protocol: 'AbsTaskRetrieval',
      dataset: { path: folder, revision: beir.files.revision },
      aliases: [],
      splits: evaluated(beir.splits),
      subsets: { default: [] },
      columns: {},
      mainScore: 'ndcg_at_10',
      params: defaultParams,
      domains: [],
      licence: 'not specified',
      steps: [],
    },
    files: () => Promise.resolve(beir.files),
  }
}

export function evaluated(splits: readonly string[]): readonly string[] {
  const others = splits.filter((name) => name !== 'train')
  if (splits.includes('test')) return ['test']
  return others.length > 0 ? others : splits
}
