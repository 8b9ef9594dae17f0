/** Small things that every command can be asked about: models, tasks, texts, recipes, experiments, results. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeSmallModel } from '../experiment/encode/small-model.ts'
import { counting } from '../model/checkpoint/made-repo.ts'
import { sampleResult } from '../result/ledger/made-results.ts'
import { madeFolder } from '../result/report/made-folder.ts'
import { writeResult } from '#result/ledger'
import type { scratchFolder } from '../scratch.ts'
import type { Things } from './asking-lines.ts'

/** The library of lm-evaluation-harness is not looked for, nor the hub. */
export const offline = (path: (name: string) => string): Record<string, string> => ({
  STRATA_LM_EVAL: path('none'),
  HF_HUB_OFFLINE: '1',
})

export const thingsIn = (path: (name: string) => string): Things => ({
  model: path('model'),
  other: path('elsewhere/model'),
  third: path('third'),
  speaker: join(import.meta.dirname, '..', '..', 'assets', 'models', 'stories260K'),
  one: path('One.yaml'),
  two: path('Two.yaml'),
  broken: path('Broken.yaml'),
  texts: path('texts.txt'),
  otherTexts: path('other.txt'),
  pairs: path('views.csv'),
  probes: path('probes'),
  harness: path('harness'),
  experiment: (name) => path(`${name}.yaml`),
  recipe: path('slerp.yml'),
  results: path('made'),
  ranked: path('ranked'),
  scores: path('scores.jsonl'),
})

type Scratch = ReturnType<typeof scratchFolder>

const words = (i: number, length: number): string =>
  Array.from({ length }, (_, k) => 'ab'[(i >> (k % 5)) & 1]).join(' ')
const rows = (count: number, line: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => `${line(i)}\n`).join('')

/** Three splits of two subsets in two languages. */
function writeTask({ file }: Scratch, name: string, seed: number): void {
  const splits = ['train', 'validation', 'test']
  for (const [at, subset] of ['en', 'de'].entries())
    for (const [k, split] of splits.entries())
      file(
        `${name}-${subset}-${split}.csv`,
        `sentence1,sentence2,score\n${rows(12, (i) => `${words(i + at + 3 * k + seed, 1 + (i % 4))},${words(3 * i + at + k, 2 + (i % 3))},${(i * (at + k + 2 + seed)) % 11}`)}`,
      )
  const subsets = ['en', 'de'].map(
    (one) => `${one}: { ${splits.map((split) => `${split}: ${name}-${one}-${split}.csv`).join(', ')} }`,
  )
  file(
    `${name}.yaml`,
    `name: ${name}\ntype: STS\nsplits: [test]\nlanguages: { en: [eng-Latn], de: [deu-Latn] }\ndata: { subsets: { ${subsets.join(', ')} } }\n`,
  )
}

function writeBroken({ file }: Scratch): void {
  file('bad.csv', 'sentence1,sentence2,score\na b,b a,x\na,b,y\n')
  file(
    'Broken.yaml',
    'name: Broken\ntype: STS\nsplits: [test]\nlanguages: { en: [eng-Latn], de: [deu-Latn] }\ndata: { subsets: { en: { test: One-en-test.csv, validation: One-en-validation.csv }, de: { test: bad.csv, validation: One-de-validation.csv } } }\n',
  )
}

/** The same words, other vectors. */
async function writeModel(folder: string, turn: number): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const table = counting(7, 4)
  const values = Float32Array.from(table.values, (value, i) => value + Math.sin(turn * i))
  await writeSmallModel(folder, {
    'model.safetensors': { 'embeddings.word_embeddings.weight': { ...table, values } },
  })
}

function writeHarness({ path, file }: Scratch): void {
  mkdirSync(path('harness'))
  for (const split of ['train', 'test'])
    file(
      `harness/${split}.jsonl`,
      rows(5, (i) =>
        JSON.stringify({ question: `${split} ${i}: Lily saw`, options: ['a cat', 'a dog', 'a ball'], label: i % 3 }),
      ),
    )
  const shared = `dataset_path: ${path('harness')}\ntest_split: test\nfewshot_split: train\ndoc_to_text: question\n`
  file(
    'harness/choose.yaml',
    `${shared}task: toy_choose\ntag: toy\noutput_type: multiple_choice\ndoc_to_choice: options\ndoc_to_target: "{{label}}"\n`,
  )
  file(
    'harness/write.yaml',
    `${shared}task: toy_write\ntag: toy\ndoc_to_target: "{{ options[label] }}"\ngeneration_kwargs: {until: ["."], max_gen_toks: 5}\n`,
  )
}

function writeExperiments({ path, file }: Scratch): void {
  const things = thingsIn(path)
  const one = `models: ${things.model}\n`
  const scored = 'task_files: [One.yaml, Two.yaml]\n'
  const experiments = {
    plain: `${one}representations: default\n${scored}`,
    layers: `${one}representations: [h0, h1]\n${scored}`,
    subsets: `${one}representations: default\n${scored}subsets: [de]\n`,
    length: `${one}representations: default\n${scored}max_length: 3\n`,
    pooling: `${one}representations: default\n${scored}pooling: max\n`,
    other: `models: ${things.other}\nrepresentations: default\n${scored}`,
    task: `${one}representations: default\ntask_files: One.yaml\n`,
    aggregate: `${one}representations: default\n${scored}aggregate: { methods: [weighted, mean] }\n`,
    probes: `${one}probes: { data: "zorro:./probes", seeds: [0] }\n`,
  }
  for (const [name, text] of Object.entries(experiments)) file(`${name}.yaml`, text)
}

async function writeRanked(root: string): Promise<void> {
  for (const model of [0, 1, 2, 3])
    for (const representation of ['default', 'h2'])
      for (const [at, task_name] of ['A', 'B', 'C'].entries()) {
        const score = 0.3 + 0.1 * model + (at === 1 ? -0.15 : 0.02) * (representation === 'h2' ? model : 1)
        const part = { main_score: score, hf_subset: 'default', languages: ['eng-Latn'] }
        const strata = { model: `org/m${model}`, revision: 'main', representation }
        await writeResult(root, sampleResult({ task_name, scores: { test: [part] }, strata }))
      }
}

export async function writeThings(scratch: Scratch): Promise<Things> {
  const { path, file } = scratch
  const things = thingsIn(path)
  for (const [turn, folder] of [things.model, things.other, things.third].entries()) await writeModel(folder, turn + 2)
  for (const [at, name] of ['One', 'Two'].entries()) writeTask(scratch, name, 2 * at)
  writeBroken(scratch)
  file(
    'texts.txt',
    rows(14, (i) => words(i, 2 + (i % 5))),
  )
  file(
    'other.txt',
    rows(14, (i) => words(5 * i, 1 + (i % 4))),
  )
  file('views.csv', `sentence1,sentence2\n${rows(14, (i) => `${words(i, 3)},${words(i + 1, 4)}`)}`)
  mkdirSync(things.probes)
  for (const [at, name] of ['order', 'number'].entries())
    writeFileSync(
      join(things.probes, `${name}.txt`),
      rows(40, (i) => `${at === 0 ? 'b a' : 'a'} ${words(i, 4)}\n${at === 0 ? 'a b' : 'a a a'} ${words(i, 4)}`),
    )
  writeHarness(scratch)
  writeExperiments(scratch)
  file(
    'slerp.yml',
    `merge_method: slerp\nbase_model: ${things.model}\nmodels: [{ model: ${things.model} }, { model: ${things.third} }]\nparameters: { t: 0.5 }\ndtype: float32\n`,
  )
  await madeFolder(things.results)
  await writeRanked(things.ranked)
  file(
    'scores.jsonl',
    ['step1', 'step2', 'main']
      .flatMap((revision, k) =>
        [0, 1, 2].map((layer) => ({
          family: 'P',
          size: '1m',
          revision,
          layer,
          task: 'A',
          split: 'test',
          main_score: { de: layer / 3 + k / 10, nl: layer / 4 },
        })),
      )
      .map((row) => `${JSON.stringify(row)}\n`)
      .join(''),
  )
  return things
}
