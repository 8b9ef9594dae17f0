/** The table of tasks, read once when first asked for. */
import { type TaskInfo, type TaskParams, type TaskStep, type TaskType, taskTypes } from './task.ts'

export interface Registry {
  readonly tasks: ReadonlyMap<string, TaskInfo>
  /** Tasks of types that cannot be run: name → type. */
  readonly others: ReadonlyMap<string, string>
}

/** A row of registry.json, defaults left out. */
interface Row {
  type: string
  protocol: string
  dataset: { path: string; revision: string; config?: string }
  aliases?: { path: string; revision: string }[]
  splits: string[]
  subsets: Record<string, string>
  mainScore: string
  params?: Record<string, unknown>
  prompt?: NonNullable<TaskInfo['prompt']>
  domains: string[]
  licence: string
  members?: string[]
  supersededBy?: string
  steps?: TaskStep[]
  ownCode?: string[]
}

// mteb's class attributes
const defaults: TaskParams = {
  samples_per_label: 8,
  n_experiments: 10,
  train_split: 'train',
  is_cross_validation: false,
  fast_loading: false,
  ignore_identical_ids: false,
  skip_first_result: false,
  k_values: [1, 3, 5, 10, 20, 100, 1000],
  min_score: 0,
  max_score: 5,
}

const protocols: Readonly<Record<TaskType, string>> = { STS: 'AbsTaskSTS', Classification: 'AbsTaskClassification', Retrieval: 'AbsTaskRetrieval' }

let read: Promise<Registry> | undefined

export function taskRegistry(): Promise<Registry> {
  read ??= readRegistry()
  return read
}

async function readRegistry(): Promise<Registry> {
  const { default: table } = (await import('./registry.json', { with: { type: 'json' } })) as unknown as {
    default: { tasks: Row[]; namesOnly: Record<string, string[]> }
  }
  return {
    tasks: new Map(Object.entries(table.tasks).map(([name, row]) => [name, taskInfo(name, row)])),
    others: new Map(Object.entries(table.namesOnly).flatMap(([type, names]) => names.map((name) => [name, type]))),
  }
}

function taskInfo(name: string, { ownCode, params = {}, steps = [], aliases = [], subsets, type: typeName, ...row }: Row): TaskInfo {
  const type = typeName as TaskType
  const unsupported = whyUnsupported(row, type, ownCode, params)
  return {
    name,
    ...row,
    type,
    aliases,
    steps,
    subsets: Object.fromEntries(Object.entries(subsets).map(([subset, languages]) => [subset, languages.split(' ')])),
    columns: columnsOf(type, params),
    params: { ...defaults, ...params },
    ...(unsupported === undefined ? {} : { unsupported }),
  }
}

function whyUnsupported(
  { protocol, members }: Pick<Row, 'protocol' | 'members'>,
  type: TaskType,
  ownCode: string[] | undefined,
  params: Record<string, unknown>,
): string | undefined {
  if (members !== undefined) return `an average over other tasks: ${members.slice(0, 3).join(', ')}${members.length > 3 ? ', …' : ''}`
  if (protocol !== protocols[type]) return `of the protocol ${protocol}`
  if (ownCode !== undefined) return `its rows need code of its own (${ownCode.join(', ')} in mteb)`
  if (params['is_cross_validation'] === true) return 'cross-validation'
  return undefined
}

function columnsOf(type: TaskType, params: Record<string, unknown>): Readonly<Record<string, string>> {
  switch (type) {
    case 'STS': {
      const [sentence1 = 'sentence1', sentence2 = 'sentence2'] = (params['column_names'] as string[] | undefined) ?? []
      return { sentence1, sentence2, score: 'score' }
    }
    case 'Classification':
      return { text: (params['input_column_name'] as string | undefined) ?? 'text', label: (params['label_column_name'] as string | undefined) ?? 'label' }
    case 'Retrieval':
      return {}
    default:
      return type satisfies never
  }
}

export function isTaskType(name: string): name is TaskType {
  return (taskTypes as readonly string[]).includes(name)
}
