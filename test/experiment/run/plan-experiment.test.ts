import { mkdirSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { planExperiment, readExperiment, type ExperimentJob } from '#experiment/run'
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
