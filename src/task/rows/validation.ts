/** Rows of a task that a choice may look at: never those it is judged on. */
import type { TaskRequest } from './task-request.ts'
import { type OpenDataset, openTaskDataset } from './dataset.ts'
import { speaks } from './languages.ts'
import { configOf } from './subset-config.ts'
import { tablesOf } from './tables/standard.ts'
import type { TaskInfo } from './task.ts'

export interface Validation {
  /** The task to run in its place. */
  readonly asked: TaskRequest
  /** Where its rows come from, for reports: `validation`, `20 % of train`. */
  readonly rule: string
}

/** Names of splits that are there to choose by, the best known first. */
const named = ['dev', 'validation', 'val']

/**
 * The task on its own development split; a classification without one, on a fifth of its training rows (Hugging Face
 * `train_test_split(0.2, seed=42)`), learned
 * from the rest; any other, on its training split. English subsets alone where there are some. One experiment instead
 * of ten: of a classifier's scores only the order of representations counts here. Undefined for a task that has nothing
 * but what it is judged on. Throws what opening the data set throws.
 */
export async function validationOf(asked: TaskRequest, openDataset: OpenDataset): Promise<Validation | undefined> {
  const { task, splits } = asked
  if (task.unsupported !== undefined || asked.refusal !== undefined || task.protocol === 'AbsTaskAggregate')
    return undefined
  const subsets = englishAmong(asked)
  const [subset = 'default'] = subsets
  const there = await splitsThere(task, subset, openDataset)
  const free = (name: string): boolean => there.includes(name) && !splits.includes(name)
  const once: TaskInfo = { ...task, params: { ...task.params, n_experiments: 1 } }
  const found = named.find(free)
  const learns =
    task.protocol === 'AbsTaskClassification' ||
    task.protocol === 'AbsTaskMultilabelClassification' ||
    task.protocol === 'AbsTaskRegression'
  if (found !== undefined) return { asked: { ...asked, task: once, splits: [found], subsets }, rule: found }
  const train = learns ? task.params.train_split : 'train'
  if (!free(train)) return undefined
  if (!learns) return { asked: { ...asked, task: once, splits: [train], subsets }, rule: train }
  // the step makes a `train` and a `test` of it, whatever it was called
  const divided: TaskInfo = {
    ...once,
    params: { ...once.params, train_split: 'train' },
    steps: [...task.steps, { divide: { from: train, test: 0.2 } }],
  }
  return { asked: { ...asked, task: divided, splits: ['test'], subsets }, rule: `20 % of ${train}` }
}

function englishAmong({ task, subsets }: TaskRequest): readonly string[] {
  const english = subsets.filter((subset) => {
    const languages = task.subsets[subset] ?? []
    return languages.length > 0 && languages.every((language) => speaks([language], ['eng']))
  })
  return english.length > 0 ? english : subsets
}

/**
 * Splits of the rows, or of the judgements, that a subset is read from; none where no config of its data set holds
 * them.
 */
async function splitsThere(task: TaskInfo, subset: string, openDataset: OpenDataset): Promise<readonly string[]> {
  const dataset = await openTaskDataset(task, openDataset)
  if (task.protocol !== 'AbsTaskRetrieval') return [...configOf(task, dataset, subset).config.splits.keys()]
  const { qrels } = tablesOf(task, dataset.layout, subset)
  const name = typeof qrels.config === 'string' ? qrels.config.replaceAll('{subset}', subset) : undefined
  const elsewhere =
    qrels.repo !== undefined || qrels.folder !== undefined || qrels.file !== undefined || qrels.of !== undefined
  const config = name === undefined ? dataset.layout.standard : dataset.layout.configs.get(name)
  return elsewhere ? [] : [...(config?.splits.keys() ?? [])]
}
