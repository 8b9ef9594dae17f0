/**
 * An experiment that is run again in its folder gives what it gives in a new one, whatever has changed in between: every
 * kind of file that moves a number is changed in place, under its old time, on one folder. A kind is a line of a table.
 * `STRATA_NIGHTLY=1` tries every line; otherwise every other one, and one of each experiment.
 */
import { readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { planExperiment, readExperiment, runExperiment } from '#experiment/run'
import { openStore } from '#platform/vectors'
import {
  choices,
  env,
  type Experiment,
  experiments,
  json,
  loraName,
  pairs,
  path,
  queries,
  table,
  turned,
  two,
  writeLive,
} from './live-experiments.ts'
import { nightly } from '../nightly.ts'
import { strata } from './program.ts'

beforeAll(async () => {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
  await writeLive()
})

const undo = new Map<string, { readonly bytes: Buffer; readonly time: Date }>()

/** Other content under the old time, as `cp -p` and `rsync -t` leave it. */
function change(name: string, to: (text: string) => string): void {
  const file = path(name)
  const { mtime } = statSync(file)
  if (!undo.has(name)) undo.set(name, { bytes: readFileSync(file), time: mtime })
  writeFileSync(file, Buffer.from(to(readFileSync(file, 'latin1')), 'latin1'))
  utimesSync(file, mtime, mtime)
}

function restoreAll(): void {
  for (const [name, { bytes, time }] of undo) {
    writeFileSync(path(name), bytes)
    utimesSync(path(name), time, time)
  }
  undo.clear()
}

// before anything is run: what another test changed is no part of what an experiment gives unchanged
beforeEach(restoreAll)

const of = (other: string) => (): string => readFileSync(path(other), 'latin1')

type Row = readonly [what: string, experiment: Experiment, name: string, to: (text: string) => string]

const kinds: readonly Row[] = [
  ['data that a task file names', 'scores', 'live/pairs.csv', () => pairs(7)],
  ['a task file', 'scores', 'live/pairs.yaml', (text) => `${text}main_score: cosine_pearson\n`],
  ['judgements of a BEIR folder', 'scores', 'live/beir/qrels/test.tsv', () => queries(7)],
  ['its corpus', 'scores', 'live/beir/corpus.jsonl', (text) => text.replaceAll('a b', 'b a')],
  ['weights', 'scores', 'live/small/model.safetensors', turned(table)],
  ['config.json', 'scores', 'live/small/config.json', json({ layer_norm_eps: 0.5 })],
  ['tokenizer.json', 'scores', 'live/small/tokenizer.json', (text) => text.replace('"a":4,"b":5', '"a":5,"b":4')],
  ['modules.json', 'scores', 'live/small/modules.json', (text) => text.replace(/,\{"idx":2.*\}\]/, ']')],
  [
    '1_Pooling/config.json',
    'scores',
    'live/small/1_Pooling/config.json',
    json({ pooling_mode_mean_tokens: false, pooling_mode_max_tokens: true }),
  ],
  ['weights of a module', 'scores', 'live/small/2_Dense/model.safetensors', turned('linear.weight')],
  [
    'config_sentence_transformers.json',
    'scores',
    'live/small/config_sentence_transformers.json',
    (text) => text.replace('a b ', 'b b '),
  ],
  ['sentence_bert_config.json', 'scores', 'live/small/sentence_bert_config.json', json({ max_seq_length: 4 })],
  [
    'tokenizer_config.json',
    'scores',
    'live/small/tokenizer_config.json',
    json({ truncation_side: 'left', model_max_length: 4 }),
  ],
  ['a shard', 'shards', 'live/sharded/model-00001-of-00002.safetensors', turned(table)],
  ['weights of an adapter', 'adapter', 'live/lora/adapter_model.safetensors', turned(`${loraName}.lora_A.weight`)],
  ['the config of an adapter', 'adapter', 'live/lora/adapter_config.json', json({ lora_alpha: 16 })],
  ['weights under an adapter', 'adapter', 'live/base/model.safetensors', turned(table)],
  ['a recipe', 'merge', 'live/mix.yml', (text) => text.replace('0.7', '0.2')],
  ['weights of a model in a recipe', 'merge', 'live/right/model.safetensors', turned(table)],
  ['a representation file', 'mix', 'live/mix.json', of('live/other.json')],
  ['a branch of a model on the hub', 'hub', 'hub/models--org--small/refs/main', () => two],
  ['a branch of a data set on the hub', 'hub', 'hub/datasets--org--pairs/refs/main', () => two],
  ['the corpus of an aggregation', 'aggregate', 'live/corpus.txt', (text) => text.replaceAll('a b', 'b b')],
  ['rows that choose among mixes', 'validated', 'live/validation.csv', () => pairs(9)],
  ['documents of the harness', 'harness', 'live/data/test.jsonl', () => choices('test', 1)],
  ['a task file of the harness', 'harness', 'live/tasks/choose.yaml', (text) => text.replace('acc}', 'acc_norm}')],
  [
    'a file that it includes',
    'harness',
    'live/tasks/_shared',
    (text) => text.replace('question', '"{{question}} Then"'),
  ],
  ['tasks that bear a tag', 'harness', 'live/tasks/more.yaml', (text) => text.replace('wordy', 'words')],
  ['a chat template', 'harness', 'live/stories/tokenizer_config.json', (text) => text.replace('She', 'Tim')],
  ['weights of a language model', 'harness', 'live/stories/model.safetensors', turned('model.embed_tokens.weight')],
  ['probing data', 'probes', 'live/grammar/order.txt', (text) => text.replaceAll('cat ran', 'dog ran')],
]

interface Answer {
  readonly line: string
  readonly scores: Readonly<Record<string, unknown>>
}

/** Below a folder of results: scores by path, the newest file of the harness, tables of probes. */
function scoresIn(folder: string): Record<string, unknown> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8')
  return Object.fromEntries(
    files.flatMap((name): [string, unknown][] => {
      if (/(?:^|\/)(?:partial|failed|outdated|representations)\//.test(name)) return []
      if (/\/results_20[^/]*\.json$/.test(name))
        return [[name.replace(/_20[^/]*/, ''), (JSON.parse(read(name)) as { results: unknown }).results]]
      if (/\/probes_\w+\.csv$/.test(name)) return [[name, read(name)]]
      if (!name.endsWith('.json') || /model_meta|answers|samples/.test(name)) return []
      const { scores, strata: own } = JSON.parse(read(name)) as { scores: unknown; strata: { fingerprint: string } }
      return [[name, { scores, fingerprint: own.fingerprint }]]
    }),
  )
}

interface Kept extends Answer {
  readonly stderr: string
}

/** By the program, in the one folder of the experiment. */
async function run(experiment: Experiment, flags: readonly string[] = ['--quiet']): Promise<Kept> {
  const out = path(`kept/${experiment}`)
  const { stdout, stderr } = await strata(
    ['run', path(`live/run-${experiment}.yaml`), '--out', out, '--cache-dir', path('cache'), ...flags],
    { env },
  )
  if (stdout === '') throw new Error(stderr)
  const [line = ''] = stdout.split('\n')
  return { line: line.replace(/;.*$/, ''), scores: scoresIn(`${out}/results`), stderr }
}

let fresh = 0
/** In this process, in a new folder and with a new cache. */
async function anew(name: Experiment): Promise<Answer> {
  const folder = path(`fresh-${String(fresh++)}`)
  const experiment = await readExperiment(path(`live/run-${name}.yaml`))
  const plan = await planExperiment(experiment)
  const { done, failed } = await runExperiment(experiment, plan, {
    folder,
    worker: 'fresh',
    model: { store: openStore(join(folder, 'cache', 'vectors')) },
    cache: join(folder, 'cache'),
  })
  const line = `${done} of ${plan.jobs.length} jobs done${failed === 0 ? '' : `, ${failed} failed`}`
  const answer = { line, scores: scoresIn(join(folder, 'results')) }
  rmSync(folder, { recursive: true })
  return answer
}

const first = new Map<Experiment, Answer>()
/** What an experiment gave when nothing had been changed. */
async function unchanged(experiment: Experiment): Promise<Answer> {
  const known = first.get(experiment) ?? (await run(experiment))
  first.set(experiment, known)
  return known
}

/** Jobs that were begun in the folder of an experiment, by whomever. */
const begun = (experiment: Experiment): number =>
  readdirSync(path(`kept/${experiment}/events`))
    .map((name) => readFileSync(path(`kept/${experiment}/events/${name}`), 'utf8').split('"claimed"').length - 1)
    .reduce((sum, count) => sum + count, 0)

/** Every file of results, with its content. */
function filesIn(experiment: Experiment): Record<string, string> {
  const root = path(`kept/${experiment}/results`)
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' }).sort()
  return Object.fromEntries(
    names
      .filter((name) => statSync(join(root, name)).isFile())
      .map((name) => [name, readFileSync(join(root, name), 'latin1')]),
  )
}

describe('changed in place, under its old time', () => {
  const some = kinds.filter(([, experiment], i) => i % 2 === 0 || kinds[i - 1]?.[1] !== experiment)

  test.each(nightly ? kinds : some)('%s', async (_, experiment, name, to) => {
    const before = await unchanged(experiment)
    expect(before.line).toMatch(/^(\d+) of \1 jobs done$/)
    change(name, to)
    const expected = await anew(experiment)
    const kept = await run(experiment)
    expect(expected.scores).not.toEqual(before.scores)
    expect(kept.line).toBe(expected.line)
    expect(kept.scores).toEqual(expect.objectContaining(expected.scores))
  })

  test.each(
    nightly ? (Object.keys(experiments) as Experiment[]) : (['scores', 'aggregate', 'harness', 'probes'] as const),
  )('and back again: %s gives what it gave, and then there is nothing to do', async (experiment) => {
    const before = await unchanged(experiment)
    expect((await run(experiment)).scores).toEqual(expect.objectContaining(before.scores))
    const [files, jobs] = [filesIn(experiment), begun(experiment)]
    expect((await run(experiment)).line).toBe(before.line)
    expect([filesIn(experiment), begun(experiment)]).toEqual([files, jobs])
  })
})

describe('what is left of it', () => {
  test.each<[Experiment, string, string]>([
    ['harness', 'tasks: words', 'limit: 4, tasks: words'],
    ['probes', 'seeds: [0]', 'seeds: [1]'],
    // every result of the first is in the ledger then, and the tables are of more
    ['probes', 'layers: "1"', 'layers: "0,1"'],
  ])('files that another experiment wrote in the folder are written anew: of %s', async (experiment, from, to) => {
    const before = await unchanged(experiment)
    await run(experiment)
    change(`live/run-${experiment}.yaml`, (text) => text.replace(from, to))
    const other = await run(experiment)
    expect(other.scores).not.toEqual(expect.objectContaining(before.scores))
    restoreAll()
    expect((await run(experiment)).scores).toEqual(expect.objectContaining(before.scores))
  })

  const edit = (to: (result: { scores: unknown; strata: Record<string, unknown> }) => object): void => {
    const [name = ''] = Object.keys(filesIn('scores')).filter((one) => /experiments\/h1[^/]*\/Pairs\.json$/.test(one))
    const file = path(`kept/scores/results/${name}`)
    writeFileSync(file, JSON.stringify(to(JSON.parse(readFileSync(file, 'utf8')) as Parameters<typeof to>[0])))
  }

  test.each<[string, () => void]>([
    ['a result that is gone', () => rmSync(path('kept/scores/results'), { recursive: true })],
    [
      'a result of an earlier version of the fingerprint',
      () => edit((result) => ({ ...result, scores: {}, strata: { ...result.strata, fingerprint_version: 1 } })),
    ],
    [
      'a result of other arithmetic',
      () => edit((result) => ({ ...result, scores: {}, strata: { ...result.strata, fingerprint: '0'.repeat(64) } })),
    ],
  ])('%s is made again', async (_, spoil) => {
    const before = await unchanged('scores')
    await run('scores')
    spoil()
    expect((await run('scores')).scores).toEqual(expect.objectContaining(before.scores))
  })

  test.each(['scores', 'aggregate', 'harness', 'probes'] as const)(
    'jobs that nobody remembers are found through the ledger: of %s no file is written anew',
    async (experiment) => {
      await unchanged(experiment)
      await run(experiment)
      const files = filesIn(experiment)
      rmSync(path(`kept/${experiment}/jobs`), { recursive: true })
      const again = await run(experiment)
      expect([again.line, filesIn(experiment)]).toEqual([(await unchanged(experiment)).line, files])
    },
  )

  test('a plan and the status see the change and write nothing', async () => {
    await unchanged('shards')
    await run('shards')
    // what it gives is not known yet
    change('live/sharded/model-00001-of-00002.safetensors', (text) => turned(table)(turned(table)(text)))
    const [files, jobs] = [filesIn('shards'), begun('shards')]
    const [status, plan] = [await run('shards', ['--status']), await run('shards', ['--dry-run', '--json'])]
    expect(status.line).toBe('0 of 1 jobs done')
    expect(JSON.parse(plan.line)).toMatchObject({ finished: 0 })
    expect([filesIn('shards'), begun('shards')]).toEqual([files, jobs])
  })

  test('a model that cannot be read any more is asked again, and fails', async () => {
    await unchanged('shards')
    await run('shards')
    const shard = path('live/sharded/model-00001-of-00002.safetensors')
    renameSync(shard, `${shard}.gone`)
    const { line } = await run('shards').finally(() => renameSync(`${shard}.gone`, shard))
    expect(line).toMatch(/^0 of 1 jobs done, 1 failed/)
    // once it is back, what it gave is still there
    expect((await run('shards', ['--quiet', '--resume'])).line).toBe('1 of 1 jobs done')
  })

  test('a model of the hub that is not here any more: its jobs are left as they are, and that is said', async () => {
    await unchanged('hub')
    await run('hub')
    renameSync(path('hub/models--org--small/snapshots'), path('hub/models--org--small/elsewhere'))
    const { line, stderr } = await run('hub', [])
    renameSync(path('hub/models--org--small/elsewhere'), path('hub/models--org--small/snapshots'))
    expect(line).toBe('1 of 1 jobs done')
    expect(stderr).toMatch(/1 finished jobs are left unchanged and could not be checked again: .*org\/small/)
  })
})
