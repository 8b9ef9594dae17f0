import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { planExperiment, readExperiment, type ExperimentJob } from '#experiment/run'
import { experimentSchema } from '../../../src/experiment/run/experiment-schema.ts'
import { scratchFolder } from '../../scratch.ts'

const { path, file } = scratchFolder()

beforeAll(() => {
  for (const step of ['step2', 'step10']) {
    mkdirSync(path(`run/${step}`), { recursive: true })
    file(`run/${step}/config.json`, '{}')
  }
  file('mix.yml', 'merge_method: linear\n')
})

const planned = async (text: string): Promise<readonly ExperimentJob[]> =>
  (await planExperiment(await readExperiment(file('experiment.yaml', text)))).jobs
const base = `models: run/step2\ntasks: [STS12, STS13]\n`
const idsOf = async (text: string): Promise<string[]> =>
  (await planned(text.replace('run/', `${path('run')}/`))).map(({ id }) => id)

test('a model is a group: its tasks, then its combinations; checkpoints by training step, merges last', async () => {
  const jobs = await planned(
    `models: ${path('run')}\nrevisions: all\nmerges: mix.yml\ntasks: [STS12, STS13]\npooling: [mean, cls]\naggregate: {}\nseeds: [1, 2]\n`,
  )
  const [first, second] = [path('run/step2'), path('run/step10')]
  expect([...new Set(jobs.map(({ group }) => group))]).toEqual(
    [first, second, `merge:${path('mix.yml')}`].flatMap((model) => [`${model} mean`, `${model} cls`]),
  )
  expect(
    jobs
      .filter(({ group }) => group === `${first} cls`)
      .map(({ kind, tasks, pooling, seed }) => ({ kind, tasks, pooling, seed })),
  ).toEqual([
    { kind: 'scores', tasks: ['STS12'], pooling: 'cls', seed: undefined },
    { kind: 'scores', tasks: ['STS13'], pooling: 'cls', seed: undefined },
    { kind: 'aggregate', tasks: ['STS12', 'STS13'], pooling: 'cls', seed: 1 },
    { kind: 'aggregate', tasks: ['STS12', 'STS13'], pooling: 'cls', seed: 2 },
  ])
  expect(new Set(jobs.map(({ id }) => id)).size).toBe(24)
})

test('a job is another when anything can move its score, and the same when not', async () => {
  const same = await idsOf(base)
  expect(await idsOf(`${base}name: other\n`)).toEqual(same)
  expect(await idsOf(`${base}aggregate: {}\n`).then((ids) => ids.slice(0, 2))).toEqual(same)
  const others = [
    'max_length: 64',
    'final_norm: native',
    'prompt: "q: "',
    'representations: [h1]',
    'splits: test',
    'profile: mteb-1',
    'kmeans: B',
    'pooling: cls',
    'dtype: int8',
  ]
  const ids: string[] = []
  for (const line of others) ids.push(...(await idsOf(`${base}${line}\n`)))
  expect(new Set([...same, ...ids]).size).toBe(2 * (others.length + 1))
})

describe('every key of the file', () => {
  /** Lines by key; of a section its entries. */
  type Lines = Readonly<Record<string, string>>
  const top: Lines = {
    representations: '[h1]',
    languages: 'eng',
    splits: 'test',
    subsets: 'default',
    profile: 'mteb-1',
    kmeans: 'B',
    pooling: 'cls',
    max_length: '64',
    final_norm: 'native',
    prompt: '"q: "',
    normalize: 'true',
    dtype: 'int8',
    engine: 'openvino',
    benchmarks: '"MTEB(eng, v2)"',
    plugins: `[${join(import.meta.dirname, '../../../examples/plugins/metric.ts')}]`,
  }
  const sections: Readonly<
    Record<'search' | 'aggregate' | 'harness' | 'probes' | 'rerank', { base: Lines; more: Lines; idle: Lines }>
  > = {
    aggregate: {
      base: {},
      more: {
        methods: 'mean',
        lambda: '0.5',
        similarity: 'rsa',
        quality: 'diagonal',
        layer_norm: 'l2',
        corpus: 'texts.txt',
        clusters: '3',
        components: '8',
        tables: 'tables',
      },
      idle: {},
    },
    search: {
      base: {},
      more: {
        policy: 'random',
        budget: '9',
        alpha: '2',
        layers: '"0,1"',
        context: 'rankme',
        baseline: 'main',
        reward: 'raw',
        aggregation: 'median',
        clip: '2',
        floor: '0.1',
      },
      idle: {},
    },
    rerank: {
      base: { model: './one' },
      more: { model: '"./one#h1"', top: '3', layers: '2', prompt: '"q: "' },
      idle: {},
    },
    harness: {
      base: { tasks: 'toy', include_path: 'tasks' },
      more: {
        tasks: 'other',
        num_fewshot: '1',
        limit: '5',
        include_path: '[tasks, more]',
        apply_chat_template: 'true',
        fewshot_as_multiturn: 'true',
        system_instruction: 'Be brief.',
        gen_kwargs: '{temperature: 1}',
        seed: '1',
        fewshot_seed: '1',
        bootstrap_iters: '10',
      },
      idle: { log_samples: 'false' },
    },
    probes: {
      base: { data: '"zorro:./pairs"' },
      more: {
        data: '"zorro:./others"',
        only: 'one',
        layers: 'last',
        task_types: '[SENTENCE]',
        controls: '[randomization]',
        probe: 'mlp',
        profile: 'holmes',
        mdl: 'true',
        train_portion: '0.5',
        seeds: '[1]',
      },
      idle: {},
    },
  }
  beforeAll(() => {
    for (const name of ['tasks', 'more', 'pairs', 'others']) mkdirSync(path(name), { recursive: true })
    file('texts.txt', 'a\nb\n')
  })
  const section = (name: string, lines: Lines): string =>
    `${name}: {${Object.entries(lines)
      .map(([key, value]) => `${key}: ${value}`)
      .join(', ')}}\n`

  test.each(['search', 'aggregate', 'harness', 'probes', 'rerank'] as const)(
    'of %s is another job, or is named as one that moves nothing',
    async (name) => {
      const { base: own, more, idle } = sections[name]
      const idOf = async (lines: Lines): Promise<string | undefined> =>
        (await idsOf(`${base}${section(name, { ...own, ...lines })}`)).at(-1)
      const plain = await idOf({})
      const ids: (string | undefined)[] = []
      for (const [key, value] of Object.entries(more)) ids.push(await idOf({ [key]: value }))
      expect(new Set([plain, ...ids]).size).toBe(ids.length + 1)
      for (const [key, value] of Object.entries(idle)) expect([key, await idOf({ [key]: value })]).toEqual([key, plain])
      const known = Object.keys(experimentSchema().shape[name].unwrap().shape)
      expect([...Object.keys(more), ...Object.keys(idle)].toSorted()).toEqual(known.toSorted())
    },
  )

  test('plugins are known by their content, wherever they lie', async () => {
    const idWith = async (name: string, text: string): Promise<string | undefined> => {
      file(name, text)
      return (await idsOf(`${base}plugins: ${name}\n`))[0]
    }
    const text = readFileSync(join(import.meta.dirname, '../../../examples/plugins/metric.ts'), 'utf8')
    const id = await idWith('mine.ts', text)
    expect(await idWith('yours.ts', text)).toBe(id)
    expect(await idWith('mine.ts', text.replace('usual / 10', 'usual / 9'))).not.toBe(id)
  })

  test('at the top is another job of scores, or of something else', async () => {
    const plain = await idsOf(base)
    const ids: (string | undefined)[] = []
    for (const [key, value] of Object.entries(top)) ids.push((await idsOf(`${base}${key}: ${value}\n`))[0])
    expect(new Set([plain[0], ...ids]).size).toBe(ids.length + 1)
    // what is no setting of scores: whose they are, which tasks, where they lie, and the other sections
    const others = [
      'name',
      'models',
      'revisions',
      'merges',
      'servers',
      'locales',
      'tasks',
      'task_files',
      'types',
      'results',
      'output_folder',
    ]
    expect([...Object.keys(top), ...others, ...Object.keys(sections), 'seeds', 'slurm'].toSorted()).toEqual(
      Object.keys(experimentSchema().shape).toSorted(),
    )
    for (const line of ['results: elsewhere', 'slurm: {partition: gpu}', 'seeds: [1, 2]'])
      expect(await idsOf(`${base}${line}\n`)).toEqual(plain)
  })

  test('the locales of a model are part of its job, and the name of its type is not', async () => {
    const id = async (locales: string): Promise<string | undefined> =>
      (await planned(`tasks: MASSIVEIntent\nlocales:\n${locales}`))[0]?.id
    const one = await id('  sq-AL: { models: { baseline: ./k } }\n')
    expect(await id('  sq-AL: { models: { average: ./k } }\n')).toBe(one)
    expect(await id('  cy-GB: { models: { baseline: ./k } }\n')).not.toBe(one)
    const two =
      '  sq-AL: { models: { baseline: ./k } }\n  cy-GB: { models: { x: ./y }, sources: { sq-AL: { model: ./k } } }\n'
    expect(await id(two)).not.toBe(one)
    expect(await planned(`tasks: MASSIVEIntent\nlocales:\n${two}`)).toMatchObject([
      { reference: './k', subsets: ['sq-AL', 'cy-GB'], representations: ['default'] },
      { reference: './y', subsets: ['cy-GB'] },
    ])
  })

  test('one source or task more leaves the jobs of the others as they are', async () => {
    const ids = async (name: 'harness' | 'probes', lines: Lines): Promise<string[]> =>
      (await idsOf(`${base}${section(name, { ...sections[name].base, ...lines })}`)).slice(2)
    const [first] = await ids('probes', {})
    expect((await ids('probes', { data: '["zorro:./pairs", "zorro:./others"]' }))[0]).toBe(first)
    const [toy] = await ids('harness', {})
    expect((await ids('harness', { tasks: '[other, toy]' }))[1]).toBe(toy)
  })

  test('a seed is another job of an aggregation', async () => {
    const ids = await idsOf(`${base}aggregate: {}\nseeds: [1, 2]\n`)
    expect(new Set(ids).size).toBe(4)
    expect((await idsOf(`${base}aggregate: {}\nseeds: [2]\n`)).at(-1)).toBe(ids.at(-1))
  })
})

test('a job is another for other data of a task, and for another task under its name', async () => {
  const text = (row: string, more = ''): string => {
    file('pairs.csv', `first,second,rating\na,b,1\nb,a,${row}\n`)
    file(
      'pairs.yaml',
      `name: Pairs\ntype: STS\ndata:\n  test: pairs.csv\ncolumns: { sentence1: first, sentence2: second, score: rating }\n${more}`,
    )
    return `models: run/step2\ntask_files: pairs.yaml\naggregate: {}\n`
  }
  const ids = [await idsOf(text('2')), await idsOf(text('3')), await idsOf(text('2', 'main_score: cosine_pearson\n'))]
  expect(await idsOf(text('2'))).toEqual(ids[0])
  expect(new Set(ids.flat()).size).toBe(6)
})

test('a revision that is not there is told at its line', async () => {
  await expect(planned(`models: ${path('run')}\nrevisions: [step2, step11]\ntasks: STS12\n`)).rejects.toMatchObject({
    code: 'usage.value',
    message: expect.stringMatching(/experiment\.yaml:2:12 › revisions: no such revision .*step11/),
  })
})
