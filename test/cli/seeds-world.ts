/**
 * What the seeds' command lines and files ask of the outside, made small: a hub's cache in which the models and data
 * sets have the names that the documents write.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { findTasks } from '#task/registry'
import { writeSmallModel } from '../experiment/encode/small-model.ts'
import { counting } from '../model/checkpoint/made-repo.ts'

/** Environment in which that hub is the only one. */
export const hubAt = (folder: string): Record<string, string> => ({
  HF_HUB_CACHE: join(folder, 'hub'),
  HF_HUB_OFFLINE: '1',
  STRATA_CACHE: join(folder, 'cache'),
  STRATA_LM_EVAL: join(folder, 'none'),
})

type Row = Readonly<Record<string, unknown>>

/** Words that the small models know, `i` of them or so. */
const text = (i: number): string => `${'a '.repeat(1 + (i % 5))}${'b '.repeat((i * 3) % 4)}${i % 2 === 0 ? 'a' : 'b'}`
const rows = (count: number, row: (i: number) => Row): Row[] => Array.from({ length: count }, (_, i) => row(i))
const jsonl = (list: readonly Row[]): string => `${list.map((row) => JSON.stringify(row)).join('\n')}\n`

async function put(path: string, content: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, content)
}

/** The folder of a revision, which `main` points at. */
async function snapshot(folder: string, kind: 'models' | 'datasets', name: string, revision: string): Promise<string> {
  const root = join(folder, 'hub', `${kind}--${name.replaceAll('/', '--')}`)
  await put(join(root, 'refs', 'main'), revision)
  const path = join(root, 'snapshots', revision)
  await mkdir(path, { recursive: true })
  return path
}

const revision = '1234567890abcdef1234567890abcdef12345678'

/** A model of width 4 under a name of the hub; each has other numbers. */
export async function hubModel(folder: string, name: string, at: number, { commit = revision, positions = 512 } = {}): Promise<void> {
  const words = counting(7, 4)
  const values = Float32Array.from(words.values, (value, i) => value + 0.3 * at * Math.sin(3 * i + at))
  await writeSmallModel(await snapshot(folder, 'models', name, commit), {
    'config.json': { max_position_embeddings: positions },
    'model.safetensors': {
      'embeddings.word_embeddings.weight': { ...words, values },
      'embeddings.position_embeddings.weight': counting(positions, 4),
    },
  })
}

/** Configs of splits of rows. */
export async function hubData(
  folder: string,
  name: string,
  configs: Readonly<Record<string, Readonly<Record<string, readonly Row[]>>>>,
  commit = revision,
): Promise<void> {
  const path = await snapshot(folder, 'datasets', name, commit)
  const head = ['---', 'configs:']
  for (const [config, splits] of Object.entries(configs)) {
    head.push(`- config_name: ${config}`, '  data_files:')
    for (const [split, list] of Object.entries(splits)) {
      head.push(`  - split: ${split}`, `    path: ${config}/${split}.jsonl`)
      await put(join(path, config, `${split}.jsonl`), jsonl(list))
    }
  }
  await put(join(path, 'README.md'), `${head.join('\n')}\n---\n`)
}

/** One task of each category of the seed, by the name and revision that the registry has. */
export const categories: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, readonly Row[]>>>>>> =
  {
    EmotionClassification: {
      default: {
        train: rows(40, (i) => ({ text: text(i), label: i % 2 })),
        validation: rows(12, (i) => ({ text: text(i + 3), label: i % 2 })),
        test: rows(12, (i) => ({ text: text(i + 1), label: i % 2 })),
      },
    },
    TwentyNewsgroupsClustering: {
      default: {
        test: rows(2, () => ({
          sentences: Array.from({ length: 12 }, (_, i) => text(i)),
          labels: Array.from({ length: 12 }, (_, i) => String(i % 2)),
        })),
      },
    },
    SciFact: {
      corpus: { corpus: rows(12, (i) => ({ _id: `d${i}`, title: '', text: text(i) })) },
      queries: { queries: rows(6, (i) => ({ _id: `q${i}`, text: text(i + 1) })) },
      default: {
        train: rows(6, (i) => ({ 'query-id': `q${i}`, 'corpus-id': `d${(i + 2) % 12}`, score: 1 })),
        test: rows(6, (i) => ({ 'query-id': `q${i}`, 'corpus-id': `d${i}`, score: 1 })),
      },
    },
    STSBenchmark: {
      default: Object.fromEntries(
        ['train', 'validation', 'test'].map((split, at) => [
          split,
          rows(16, (i) => ({ sentence1: text(i), sentence2: text(7 * i + 1 + at), score: (i * 5) % 6 })),
        ]),
      ),
    },
    TwitterSemEval2015: {
      default: {
        test: [
          {
            sent1: Array.from({ length: 16 }, (_, i) => text(i)),
            sent2: Array.from({ length: 16 }, (_, i) => text(3 * i + 1)),
            labels: Array.from({ length: 16 }, (_, i) => (i % 3 === 0 ? 1 : 0)),
          },
        ],
      },
    },
    AskUbuntuDupQuestions: {
      corpus: { test: rows(12, (i) => ({ id: `d${i}`, text: text(i) })) },
      queries: { test: rows(4, (i) => ({ id: `q${i}`, text: text(i + 1) })) },
      default: { test: rows(4, (i) => ({ 'query-id': `q${i}`, 'corpus-id': `d${i}`, score: 1 })) },
      top_ranked: {
        test: rows(4, (i) => ({ 'query-id': `q${i}`, 'corpus-ids': [`d${i}`, `d${i + 1}`, `d${i + 3}`] })),
      },
    },
  }

export async function hubTasks(folder: string): Promise<void> {
  const { tasks } = await findTasks(Object.keys(categories))
  for (const { name, dataset } of tasks) await hubData(folder, dataset.path, categories[name] ?? {}, dataset.revision)
}
