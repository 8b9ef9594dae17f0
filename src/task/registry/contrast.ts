/**
 * Six lists of our own, each text of the same meaning against at least three of the same words: what a hand-written
 * evaluation without negatives cannot tell (assets/contrast).
 */
import type { TaskInfo, TaskParams } from '#task/rows'

interface List {
  readonly file: string
  readonly revision: string
  readonly languages: readonly string[]
  readonly domains: readonly string[]
}

const english = ['eng-Latn']

/** Revisions are hashes of the files. */
const lists: Readonly<Record<string, List>> = {
  ContrastSemantic: {
    file: 'semantic',
    revision: '10b613414e38cd8b84196ed5013eb7e9d8039237860e4b1c2f5d2a30232065c5',
    languages: english,
    domains: ['Written'],
  },
}

/** The tasks, in the order of the parts of the older score. */
export function contrastTasks(params: TaskParams): TaskInfo[] {
  return Object.entries(lists).map(([name, { file, revision, languages, domains }]) => ({
    name,
    type: 'Contrast',
    protocol: 'Contrast',
    dataset: { path: `strata/contrast-${file}`, revision },
    carried: `contrast/${file}.jsonl`,
    aliases: [],
    splits: ['test'],
    subsets: { default: languages },
    columns: { anchor: 'anchor', positive: 'positive', negatives: 'negatives' },
    mainScore: 'auc_centered',
    params,
    domains,
    licence: 'apache-2.0',
    steps: [],
  }))
}
