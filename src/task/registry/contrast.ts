/**
 * Six lists of our own (assets/contrast): each text of the same meaning stands against at least three of the same words.
 * An evaluation without negatives rewards a model that finds all texts similar.
 */
import type { TaskInfo, TaskParams } from '#task/rows'

interface List {
  readonly file: string
  readonly revision: string
  readonly languages: readonly string[]
  readonly domains: readonly string[]
}

const english = ['eng-Latn']
const european = ['eng-Latn', 'deu-Latn', 'fra-Latn', 'spa-Latn', 'ita-Latn', 'por-Latn', 'nld-Latn']

/** Revisions are hashes of the files. */
const lists: Readonly<Record<string, List>> = {
  ContrastSemantic: {
    file: 'semantic',
    revision: 'a35f476650e4507b9c641cf4fe875d3e8df53ffcb6448719b38f444bfba883cf',
    languages: english,
    domains: ['Written'],
  },
  ContrastClustering: {
    file: 'clustering',
    revision: '3de60fca96e5c4827693d79f1d8219757058ff365c15400fd3453576ee14b7cf',
    languages: english,
    domains: ['Written'],
  },
  ContrastMultilingual: {
    file: 'multilingual',
    revision: 'c19b9f003e4c062fc3f3755e624377a85ac732f4ced2c08fcfada7906a657b73',
    languages: european,
    domains: ['Written'],
  },
  ContrastInstruction: {
    file: 'instruction',
    revision: '67eeda2715ec364bcd0315576a4481152c3b8a9258fc96d1b2ded471a833ae7a',
    languages: english,
    domains: ['Written'],
  },
  ContrastConversational: {
    file: 'conversational',
    revision: '522390e8270dcb86e39ca789f47de7fefbbfb956c39d7c605470fd34ca272a26',
    languages: english,
    domains: ['Spoken'],
  },
  ContrastCode: {
    file: 'code',
    revision: '36d9207de22bc2f299ec2bcb37045c6737afcd3f2156f0968de7e5fc30892970',
    languages: english,
    domains: ['Programming', 'Written'],
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
