/** Small experiments of every kind, with the models, data and task files that they are made of. */
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { matrix } from '#core'
import { openModel } from '#experiment/open'
import { openTensorSet, readFloat32 } from '#files/formats'
import { openRepo } from '#files/hub'
import { combinationOf, type Mix, writeRepresentation } from '#representation/layers'
import { writeSmallModel } from '../experiment/encode/small-model.ts'
import { counting, type TestTensor, writeRepo } from '../model/checkpoint/made-repo.ts'
import { scratchFolder } from '../scratch.ts'

export const { path } = scratchFolder()
const stories = join(import.meta.dirname, '..', '..', 'assets', 'models', 'stories260K')
export const [one, two] = ['1', '2'].map((digit) => digit.repeat(40)) as [string, string]
export const env = { STRATA_LM_EVAL: path('none'), HF_HUB_CACHE: path('hub'), HF_HUB_OFFLINE: '1' }

const write = (name: string, content: string): void => {
  mkdirSync(dirname(path(name)), { recursive: true })
  writeFileSync(path(name), content)
}
const rows = (count: number, line: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => `${line(i)}\n`).join('')
export const words = (i: number): string => `${'a '.repeat(i % 5)}${'b '.repeat((i * 3) % 4)}${i % 2 === 0 ? 'a' : 'b'}`
export const pairs = (factor: number): string =>
  `first,second,rating\n${rows(24, (i) => `${words(i)},${words(7 * i + 1)},${(i * factor) % 10}`)}`
const pairsTask = (name: string, data: string): string =>
  `name: ${name}\ntype: STS\nlanguages: [eng-Latn]\nsplits: [test]\ndata: ${data}\ncolumns: { sentence1: first, sentence2: second, score: rating }\n`
export const queries = (factor: number): string =>
  `query-id\tcorpus-id\tscore\n${rows(6, (i) => `q${i}\td${(i * factor) % 10}\t1`)}`
export const choices = (split: string, shift: number): string =>
  rows(9, (i) =>
    JSON.stringify({
      question: `Lily saw ${split} ${i}:`,
      options: ['a cat', 'a dog', 'a ball'],
      label: (i + shift) % 3,
    }),
  )
const embeddings = (turn: number) => {
  const plain = counting(7, 4)
  const values = Float32Array.from(plain.values, (value, i) => value + 0.4 * Math.sin(3 * i + turn))
  return { 'embeddings.word_embeddings.weight': { ...plain, values } }
}
export const table = 'embeddings.word_embeddings.weight'
export const loraName = 'base_model.model.encoder.layer.0.attention.self.value'

/** The experiments, each with what it is made of. */
export const experiments = {
  scores: 'models: LIVE/small\nrepresentations: [default, h1]\ntask_files: [pairs.yaml, beir]\n',
  shards: 'models: LIVE/sharded\nrepresentations: default\ntask_files: pairs.yaml\n',
  adapter: 'models: LIVE/base+LIVE/lora\nrepresentations: default\ntask_files: pairs.yaml\n',
  merge: 'merges: mix.yml\nrepresentations: default\ntask_files: pairs.yaml\n',
  mix: 'models: LIVE/small\nrepresentations: mix.json\ntask_files: pairs.yaml\n',
  hub: 'models: org/small\nrepresentations: default\ntask_files: hub.yaml\n',
  aggregate:
    'models: LIVE/small\nrepresentations: default\ntask_files: choosing.yaml\naggregate: { methods: [weighted, all_pca], quality: diagonal, corpus: corpus.txt }\n',
  validated:
    'models: LIVE/small\nrepresentations: default\ntask_files: choosing.yaml\naggregate: { methods: weighted }\n',
  harness: 'models: LIVE/stories\nharness: { tasks: words, include_path: tasks, apply_chat_template: true }\n',
  probes: 'models: LIVE/stories\nprobes: { data: "zorro:./grammar", layers: "1", seeds: [0] }\n',
} as const
export type Experiment = keyof typeof experiments

/** Everything below `live`, and a hub's cache beside it. */
export async function writeLive(): Promise<void> {
  const parts = {
    'modules.json': ['Transformer', 'Pooling', 'Dense'].map((name, idx) => ({
      idx,
      name: '',
      path: ['', '1_Pooling', '2_Dense'][idx],
      type: `sentence_transformers.models.${name}`,
    })),
    'sentence_bert_config.json': { max_seq_length: 12 },
    'config_sentence_transformers.json': { prompts: { own: 'a b ' }, default_prompt_name: 'own' },
    '1_Pooling/config.json': { word_embedding_dimension: 4, pooling_mode_mean_tokens: true },
    '2_Dense/config.json': {
      in_features: 4,
      out_features: 4,
      bias: false,
      activation_function: 'torch.nn.modules.linear.Identity',
    },
    '2_Dense/model.safetensors': {
      'linear.weight': { shape: [4, 4], values: [1, 0, 0, 1, 0, 1, 0, 0, 2, 0, 1, 0, 0, 0, 3, 1] },
    },
  }
  await writeSmallModel(path('live/small'), { ...parts, 'model.safetensors': embeddings(5) })
  for (const [turn, name] of ['base', 'left', 'right', 'whole'].entries())
    await writeSmallModel(path(`live/${name}`), { 'model.safetensors': embeddings(turn) })
  await shard('live/whole', 'live/sharded')
  await writeRepo(path('live/lora'), {
    'adapter_config.json': { peft_type: 'LORA', r: 1, lora_alpha: 4, target_modules: ['value'] },
    'adapter_model.safetensors': {
      [`${loraName}.lora_A.weight`]: counting(1, 4),
      [`${loraName}.lora_B.weight`]: counting(4, 1),
    },
  })
  write(
    'live/mix.yml',
    'merge_method: linear\nmodels:\n- {model: LIVE/left, parameters: {weight: 0.7}}\n- {model: LIVE/right, parameters: {weight: 0.3}}\n'.replaceAll(
      'LIVE',
      path('live'),
    ),
  )
  write('live/pairs.csv', pairs(3))
  write('live/pairs.yaml', pairsTask('Pairs', '{ test: pairs.csv }'))
  for (const [i, split] of ['train', 'validation', 'test'].entries()) write(`live/${split}.csv`, pairs(3 + 4 * i))
  write('live/choosing.yaml', pairsTask('Choosing', '{ train: train.csv, validation: validation.csv, test: test.csv }'))
  write(
    'live/beir/corpus.jsonl',
    rows(10, (i) => JSON.stringify({ _id: `d${i}`, title: '', text: words(3 * i + 1) })),
  )
  write(
    'live/beir/queries.jsonl',
    rows(6, (i) => JSON.stringify({ _id: `q${i}`, text: words(i + 2) })),
  )
  write('live/beir/qrels/test.tsv', queries(3))
  write(
    'live/corpus.txt',
    rows(12, (i) => words(5 * i + 2)),
  )

  cpSync(stories, path('live/stories'), { recursive: true })
  write(
    'live/stories/tokenizer_config.json',
    json({ chat_template: '{{ messages[0].content }} She' })(
      readFileSync(join(stories, 'tokenizer_config.json'), 'utf8'),
    ),
  )
  write('live/tasks/_shared', `dataset_path: ${path('live/data')}\ntest_split: test\ndoc_to_text: question\n`)
  write(
    'live/tasks/choose.yaml',
    'include: _shared\ntask: toy\ntag: words\noutput_type: multiple_choice\ndoc_to_choice: options\ndoc_to_target: "{{label}}"\nmetric_list: [{metric: acc}, {metric: brier_score}]\n',
  )
  write('live/tasks/more.yaml', 'include: choose.yaml\ntask: more\ntag: wordy\n')
  write('live/data/test.jsonl', choices('test', 0))
  write(
    'live/grammar/order.txt',
    rows(40, (i) => [`the ${i % 2 ? 'cat' : 'dog'} ran`, `ran the ${i % 3 ? 'dog' : 'cat'}`].join('\n')),
  )

  for (const [turn, commit] of [one, two].entries()) {
    await writeSmallModel(path(`hub/models--org--small/snapshots/${commit}`), { 'model.safetensors': embeddings(turn) })
    write(`hub/datasets--org--pairs/snapshots/${commit}/test.csv`, pairs(3 + 4 * turn))
  }
  for (const repo of ['models--org--small', 'datasets--org--pairs']) write(`hub/${repo}/refs/main`, one)
  write('live/hub.yaml', pairsTask('Hub', '{ repo: org/pairs, revision: main }'))
  await writeMixes()
  for (const [name, text] of Object.entries(experiments))
    write(`live/run-${name}.yaml`, text.replaceAll('LIVE', path('live')))
}

/** Two mixes under one file name, and one with tensors beside it. */
async function writeMixes(): Promise<void> {
  const model = await openModel(path('live/small'))
  const sum = (weights: readonly number[]): Mix => ({ kind: 'sum', weights: Float64Array.from(weights) })
  const projection: Mix = {
    kind: 'projection',
    blocks: [{ layers: [1], factor: 1 }],
    width: 2,
    source: 'made up',
    basis: () =>
      Promise.resolve({
        mean: new Float32Array(4),
        components: matrix(2, 4, Float32Array.from([1, 0, 2, 0, 0, 1, 0, 3])),
      }),
  }
  try {
    for (const [name, mix] of [
      ['mix', sum([0.5, 0.5])],
      ['other', sum([0.1, 0.9])],
      ['axes', projection],
    ] as const) {
      const written = await writeRepresentation(
        path(`live/mixes/${name}`),
        model,
        combinationOf('own', { mix, about: {} }),
      )
      cpSync(written, path(`live/${name}.json`))
      for (const file of readdirSync(dirname(written)).filter((one) => one.endsWith('.safetensors')))
        cpSync(join(dirname(written), file), path(`live/${file}`))
    }
  } finally {
    await model.close()
  }
}

/** A checkpoint's tensors in two files and an index. */
async function shard(from: string, to: string): Promise<void> {
  const source = await openTensorSet(await openRepo(path(from)))
  cpSync(path(from), path(to), { recursive: true })
  rmSync(path(`${to}/model.safetensors`))
  const names = source.names()
  const files = ['model-00001-of-00002.safetensors', 'model-00002-of-00002.safetensors'] as const
  const fileOf = (name: string): string => (name === table ? files[0] : files[1])
  const tensors: Record<string, Record<string, TestTensor>> = { [files[0]]: {}, [files[1]]: {} }
  for (const name of names)
    Object.assign(tensors[fileOf(name)] ?? {}, {
      [name]: { shape: source.info(name)?.shape ?? [], values: await readFloat32(source, name) },
    })
  await source.close()
  await writeRepo(path(to), {
    ...tensors,
    'model.safetensors.index.json': { weight_map: Object.fromEntries(names.map((name) => [name, fileOf(name)])) },
  })
}

export const json =
  (more: object) =>
  (text: string): string =>
    JSON.stringify({ ...(JSON.parse(text) as object), ...more })
/** Values of one tensor, each in another's place: a file of the same size. */
export const turned =
  (tensor: string) =>
  (text: string): string => {
    const start = 8 + Buffer.from(text.slice(0, 8), 'latin1').readUInt32LE()
    const header = JSON.parse(text.slice(8, start)) as Record<string, { data_offsets: [number, number] }>
    const [from, to] = (header[tensor]?.data_offsets ?? []).map((at) => start + at)
    if (from === undefined || to === undefined) throw new Error(`no ${tensor}`)
    return `${text.slice(0, from)}${text.slice(from + 4, to)}${text.slice(from, from + 4)}${text.slice(to)}`
  }
