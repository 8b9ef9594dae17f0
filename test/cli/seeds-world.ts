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
export async function hubModel(
  folder: string,
  name: string,
  at: number,
  { commit = revision, positions = 512 } = {},
): Promise<void> {
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

/** Locales of the seed's own example. */
const locales = ['sq-AL', 'cy-GB', 'ja-JP']

/** A classifier of MASSIVE's 60 intents, with a head of other numbers each. */
async function classifier(folder: string, at: number): Promise<void> {
  const weight = counting(60, 4)
  await writeSmallModel(folder, {
    'config.json': {
      architectures: ['BertForSequenceClassification'],
      id2label: Object.fromEntries(Array.from({ length: 60 }, (_, i) => [i, `LABEL_${i}`])),
      label2id: Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`LABEL_${i}`, i])),
    },
    'model.safetensors': {
      'embeddings.word_embeddings.weight': counting(7, 4),
      'classifier.weight': {
        ...weight,
        values: Float32Array.from(weight.values, (value, i) => value + Math.sin(at + i)),
      },
      'classifier.bias': counting(60),
    },
  })
}

/** Everything that the answers to the seeds' lines name, in `folder`, which they run in. */
export async function seedsWorld(folder: string): Promise<void> {
  for (const [at, name] of ['bert-base-uncased', 'roberta-base', 'sentence-transformers/all-MiniLM-L6-v2'].entries())
    await hubModel(folder, name, at)
  for (const [at, size] of ['14m', '70m', '410m'].entries())
    await hubModel(folder, `EleutherAI/pythia-${size}`, at, { positions: 2048 })
  await hubTasks(folder)
  await hubData(folder, 'allenai/c4', { en: { train: rows(60, (i) => ({ text: text(i) })) } })
  const intents = ['alarm_set', 'play_music', 'weather_query']
  await hubData(
    folder,
    'AmazonScience/massive',
    Object.fromEntries(
      locales.map((locale) => [
        locale,
        {
          train: rows(20, (i) => ({ id: `t${i}`, locale, utt: text(2 * i + 1), intent: intents[i % 3] })),
          validation: rows(9, (i) => ({ id: String(i), locale, utt: text(i + 5), intent: intents[i % 3] })),
          test: rows(12, (i) => ({ id: String(i), locale, utt: text(i), intent: intents[i % 3] })),
        },
      ]),
    ),
  )
  const own = (name: string, content: string): Promise<void> => put(join(folder, name), content)
  for (const [at, locale] of locales.entries()) await classifier(join(folder, 'k', locale), at)
  await classifier(join(folder, 'xlm-roberta-base_massive_k_sq-AL', 'alpha_0.5_sq-AL_epoch-9'), 0)
  const recipe = (...models: readonly string[]): string =>
    `merge_method: linear\nparameters: { weight: 1 }\nmodels:\n${models.map((model) => `  - model: ${model}\n`).join('')}`
  await own('average_merge_sq-AL.yml', recipe('./k/cy-GB', './k/ja-JP'))
  await own('recipe.yml', recipe('bert-base-uncased', 'roberta-base'))
  await writeSmallModel(join(folder, 'model'))
  await own(
    'pairs.csv',
    `first,second,rating\n${Array.from({ length: 16 }, (_, i) => `${text(i)},${text(7 * i + 1)},${(i * 5) % 6}`).join('\n')}\n`,
  )
  await own(
    'mine.yaml',
    'name: Mine\ntype: STS\nlanguages: [eng-Latn]\nsplits: [test]\ndata:\n  test: pairs.csv\ncolumns: { sentence1: first, sentence2: second, score: rating }\n',
  )
  await own('merge.yaml', 'models: [bert-base-uncased, roberta-base]\nmerges: [recipe.yml]\ntask_files: [mine.yaml]\n')
  const stories = join(import.meta.dirname, '..', '..', 'assets', 'models', 'stories260K')
  await own(
    'tasks/choose.yaml',
    `task: toy\ndataset_path: ${join(folder, 'questions')}\ntest_split: test\noutput_type: multiple_choice\ndoc_to_text: question\ndoc_to_choice: options\ndoc_to_target: "{{label}}"\nmetric_list: [{metric: acc}]\n`,
  )
  await own(
    'questions/test.jsonl',
    jsonl(rows(4, (i) => ({ question: `Lily saw ${i}:`, options: ['a cat', 'a dog'], label: i % 2 }))),
  )
  await own('evaluate.yaml', `models: ${stories}\nharness: { tasks: toy, include_path: tasks }\n`)
}
