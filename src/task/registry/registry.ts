/** The table of tasks, read once when first asked for. */
import { contrastTasks } from './contrast.ts'
import { massiveIntent } from './massive.ts'
import {
  readers,
  type TaskStep,
  type RetrievalTables,
  type Protocol,
  protocols,
  type TaskInfo,
  type TaskParams,
  type TaskType,
} from '#task/rows'

/** Tasks by name, in the reference's order. */
export type Registry = ReadonlyMap<string, TaskInfo>

/** A row of registry.json, defaults left out. */
interface Row {
  type: string
  protocol: string
  dataset: { path: string; revision: string; config?: string }
  aliases?: { path: string; revision: string }[]
  splits: string[]
  /**
   * Subset → its languages, blank between them; or the languages whose ordered pairs are the subsets
   * (`eng_Latn-fra_Latn`).
   */
  subsets: Record<string, string> | string[]
  mainScore: string
  params?: Record<string, unknown>
  prompt?: NonNullable<TaskInfo['prompt']>
  domains: string[]
  licence: string
  members?: string[]
  supersededBy?: string
  steps?: TaskStep[]
  tables?: RetrievalTables
  ownCode?: string[]
  /** Why its rows cannot be made. */
  unsupported?: string
}

// mteb's class attributes
export const defaultParams: TaskParams = {
  samples_per_label: 8,
  n_experiments: 10,
  train_split: 'train',
  is_cross_validation: false,
  n_splits: 5,
  n_samples: 2048,
  max_eval_samples: 3000,
  fast_loading: false,
  parallel_subsets: false,
  ignore_identical_ids: false,
  skip_first_result: false,
  k_values: [1, 3, 5, 10, 20, 100, 1000],
  min_score: 0,
  max_score: 5,
  input1_prompt_type: null,
  input2_prompt_type: null,
  max_fraction_of_documents_to_embed: null,
  max_document_to_embed: null,
  max_documents_per_cluster: 16_384,
  n_clusters: 10,
  k_mean_batch_size: 512,
  max_depth: null,
  specificScores: null,
  evaluator: null,
}

let read: Promise<Registry> | undefined

export function taskRegistry(): Promise<Registry> {
  read ??= readRegistry()
  return read
}

async function readRegistry(): Promise<Registry> {
  const { default: table } = (await import('./registry.json', { with: { type: 'json' } })) as unknown as {
    default: { tasks: Record<string, Row> }
  }
  const tasks = new Map(Object.entries(table.tasks).map(([name, row]) => [name, taskInfo(name, row)]))
  const massive = tasks.get('MassiveIntentClassification')
  if (massive !== undefined) tasks.set('MASSIVEIntent', massiveIntent(massive))
  for (const task of contrastTasks(defaultParams)) tasks.set(task.name, task)
  for (const [name, task] of tasks) {
    const lost = task.members?.find((member) => tasks.get(member)?.unsupported !== undefined)
    if (lost !== undefined)
      tasks.set(name, { ...task, unsupported: `its part ${lost} cannot: ${tasks.get(lost)?.unsupported ?? ''}` })
  }
  return tasks
}

function taskInfo(
  name: string,
  { ownCode, unsupported: reason, params = {}, steps = [], aliases = [], subsets, type: typeName, ...row }: Row,
): TaskInfo {
  const type = typeName as TaskType
  const unsupported = whyUnsupported(row.protocol, row.members, ownCode) ?? reason
  let made: TaskInfo['subsets'] | undefined
  return {
    name,
    ...row,
    protocol: row.protocol as TaskInfo['protocol'],
    type,
    aliases,
    steps,
    // made when asked for: the pairs of 200 languages are 40,000 names, and most commands ask for a few tasks
    get subsets() {
      return (made ??= subsetsOf(subsets))
    },
    columns: columnsOf(row.protocol, params),
    params: { ...defaultParams, ...params },
    unsupported,
  }
}

function subsetsOf(subsets: Row['subsets']): TaskInfo['subsets'] {
  if (Array.isArray(subsets)) return pairsOf(subsets)
  return Object.fromEntries(Object.entries(subsets).map(([subset, languages]) => [subset, languages.split(' ')]))
}

function pairsOf(languages: readonly string[]): Record<string, string[]> {
  const codes = languages.map((name) => name.replaceAll('_', '-'))
  return Object.fromEntries(
    languages.flatMap((one, i) =>
      languages.flatMap((other, j) => (i === j ? [] : [[`${one}-${other}`, [codes[i] ?? '', codes[j] ?? '']]])),
    ),
  )
}

function whyUnsupported(
  protocol: string,
  members: readonly string[] | undefined,
  ownCode: readonly string[] | undefined,
): string | undefined {
  // an average over other tasks can be had when each of them can
  if (members !== undefined) return undefined
  if (!isProtocol(protocol)) return `of the protocol ${protocol}`
  if (ownCode !== undefined) return `its rows need code of its own (${ownCode.join(', ')} in mteb)`
  return undefined
}

function columnsOf(protocol: string, params: Record<string, unknown>): Readonly<Record<string, string>> {
  return isProtocol(protocol) ? readers[protocol].columns(params) : {}
}

function isProtocol(name: string): name is Protocol {
  return (protocols as readonly string[]).includes(name)
}
