import { beforeAll, describe, expect, test } from 'vitest'
import { Fault } from '#core'
import { readExperiment, type Experiment } from '#experiment/run'
import { scratchFolder } from '../../scratch.ts'

const { path, file } = scratchFolder()

beforeAll(() => {
  file('mix.yml', 'merge_method: linear\n')
  file('own.csv', 'first,second,rating\na,b,1\nb,a,2\n')
  file(
    'own.yaml',
    'name: Own\ntype: STS\nlanguages: [eng-Latn]\nsplits: [test]\ndata:\n  test: own.csv\ncolumns: { sentence1: first, sentence2: second, score: rating }\n',
  )
})

const read = (text: string): Promise<Experiment> => readExperiment(file('experiment.yaml', text))

/** Message and hint, without the folder. */
async function complaint(text: string): Promise<string> {
  const error: unknown = await read(text).then(
    () => 'nothing was wrong',
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof Fault)) throw error
  return `${error.message}\n${error.hint ?? ''}`.replaceAll(path(''), '').replaceAll(/^\//gm, '')
}

const good = 'models: org/one\ntasks: STSBenchmark\n'

describe('an experiment file', () => {
  test('takes output_folder, the old name of results, with a notice, and not both', async () => {
    const { results, notices } = await read(`${good}output_folder: there\n`)
    expect([results, notices]).toEqual(['there', ['output_folder is now results']])
    expect((await read(`${good}results: there\n`)).results).toBe('there')
    expect(await complaint(`${good}results: here\noutput_folder: there\n`)).toContain('old name of results')
  })

  test('says little, and has defaults for the rest', async () => {
    const { name, models, representations, seeds, found, aggregate } = await read(good)
    expect([name, models, representations, seeds, found.tasks.map((task) => task.name), aggregate]).toEqual([
      'experiment',
      ['org/one'],
      ['all', 'default'],
      [42],
      ['STSBenchmark'],
      undefined,
    ])
  })

  test('names files by its own folder, benchmarks, globs and presets', async () => {
    const experiment = await read(
      'merges: mix.yml\ntask_files: [own.yaml]\ntasks: ["STS1*"]\naggregate: {}\nseeds: [1, 2]\nname: mine\n',
    )
    expect([
      experiment.name,
      experiment.merges,
      experiment.task_files,
      experiment.aggregate?.methods,
      experiment.aggregate?.similarity,
      experiment.seeds,
    ]).toEqual(['mine', [path('mix.yml')], [path('own.yaml')], ['all'], ['cka'], [1, 2]])
    expect(experiment.found.tasks.map((task) => task.name)).toEqual(expect.arrayContaining(['STS12', 'STS17', 'Own']))
    expect((await read('models: m\nbenchmarks: "MTEB(eng, v2)"\n')).found.tasks).toHaveLength(41)
    expect((await read('models: m\ntasks: layer_by_layer_32\n')).found.tasks).toHaveLength(32)
  })
})

const mistakes: readonly (readonly [what: string, text: string, said: RegExp])[] = [
  [
    'a key that is none',
    `${good}represntations: [all]\n`,
    /^experiment\.yaml:3:1: unknown key represntations[^]*did you mean representations/i,
  ],
  [
    'a key that is none, further in',
    `${good}aggregate:\n  lamda: 1\n`,
    /^experiment\.yaml:4:3: unknown key aggregate\.lamda\n.*lambda/,
  ],
  ['an address as the folder', `${good}results: s3://bucket/x\n`, /:3:10: results: .*an address, and a folder/],
  ['no model', 'tasks: STSBenchmark\n', /no model is named – wanted models, merges or servers/],
  ['no task', 'models: m\n', /no task is named – wanted tasks, benchmarks/],
  ['a number that is a word', `${good}max_length: many\n`, /:3:13: max_length: .*number.*many/],
  ['a fraction of a seed', `${good}seeds: [1.5]\n`, /:3:9: seeds\[0\]: .*1\.5/],
  ['an empty list', 'models: []\ntasks: STSBenchmark\n', /:1:9: models: /],
  ['a task that is none', 'models: m\ntasks: [STS12, STSBenchmrk]\n', /:2:16 › tasks\.1: .*\n.*STSBenchmark/],
  ['a glob of nothing', 'models: m\ntasks: ["Nothing*"]\n', /:2:9 › tasks\.0: /],
  ['a benchmark that is none', 'models: m\nbenchmarks: ["MTEB(eng, v9)"]\n', /:2:14 › benchmarks\.0: .*\n.*MTEB\(eng/],
  [
    'a method that is none',
    `${good}aggregate:\n  methods: [meen]\n`,
    /:4:13 › aggregate\.methods\.0: no such method – meen[^]*mean/,
  ],
  [
    'a similarity that is none',
    `${good}aggregate:\n  similarity: ckaa\n`,
    /:4:15 › aggregate\.similarity\.0: .*ckaa[^]*cka/,
  ],
  [
    'a price below nothing',
    `${good}aggregate:\n  lambda: [0.1, -1]\n`,
    /:4:17 › aggregate\.lambda\.1: a price must be 0 or greater – -1/,
  ],
  ['a pooling that is none', `${good}pooling: men\n`, /:3:10 › pooling\.0: no such pooling – men[^]*mean/],
  ['a thing said twice', 'models: m\ntasks: [STS12, STS12]\n', /:2:16 › tasks\.1: stands here twice – STS12/],
  ['a file that is not there', `${good}merges: [gone.yml]\n`, /:3:10 › merges\.0: no such file – gone\.yml/],
  ['a task file that is not there', 'models: m\ntask_files: [gone.yaml]\n', /:2:14 › task_files\.0: .*gone\.yaml/],
  [
    'a representation that is none',
    `${good}representations: [h3, weightd]\n`,
    /:3:23 › representations\.1: neither a representation nor a file of one – weightd/,
  ],
  [
    'revisions without a model',
    'merges: mix.yml\nrevisions: all\ntasks: STS12\n',
    /:2:12: revisions without a model – \["all"\]/,
  ],
  ['a subset of no task', `${good}subsets: [default, en-xx]\n`, /:3:20: none of the tasks has such a subset – en-xx/],
  ['a word of a list', `${good}profile: mteb-3\n`, /:3:10: profile: .*mteb-3[^]*mteb-2/],
  ['a language that is none', `${good}languages: [english]\n`, /:3:12 › languages: .*english/],
  ['a memory that is a list', `${good}slurm:\n  memory: [4G]\n`, /:4:11: slurm\.memory: /],
  ['an indentation by tab', `${good}aggregate:\n\tmethods: [mean]\n`, /^experiment\.yaml:4:1: .*[Tt]abs/],
  ['the same key twice', `${good}models: other\n`, /^experiment\.yaml:3:1: key models occurs twice/],
  ['nothing', '', /document: /],
]

describe('mistakes', () => {
  test.each(mistakes)('%s', async (_, text, said) => {
    expect(await complaint(text)).toMatch(said)
  })

  test('are told all at once, in the order of the file', async () => {
    const text =
      'modls: m\ntasks: [STSBenchmrk]\naggregate:\n  methods: [meen]\n  lamda: 1\nmax_length: many\npooling: men\n'
    const [first, ...lines] = (await complaint(text)).split('\n')
    expect(first).toBe('experiment.yaml: 6 mistakes')
    expect(lines.map((line) => /:(\d+):/.exec(line)?.[1])).toEqual(['1', '2', '4', '5', '6', '7'])
  })

  test('a file that is not there', async () => {
    await expect(readExperiment(path('gone.yaml'))).rejects.toMatchObject({ code: 'file.missing' })
  })
})
