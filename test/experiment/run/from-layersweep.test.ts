import { expect, test } from 'vitest'
import { planExperiment, readExperiment, type Experiment } from '#experiment/run'
import { scratchFolder } from '../../scratch.ts'

const { file } = scratchFolder()
const read = (text: string, shard = {}): Promise<Experiment> => readExperiment(file('sweep.yaml', text), { shard })

test('a configuration of mteb-layersweep is the experiment it comes to', async () => {
  const experiment = await read(
    [
      'run: { run_id: night, seed: 7 }',
      'hf: { model_sizes: [14m, 410m], revisions: [main, step-1000, step64000] }',
      'embedding: { max_length: 256, layers: [0, 23], dtype: float16 }',
      'mteb: { tasks: [STS12, STS13, STS14, STS15] }',
      'execution: { fail_fast: true }',
    ].join('\n'),
  )
  expect(experiment).toMatchObject({
    name: 'night',
    models: ['EleutherAI/pythia-14m', 'EleutherAI/pythia-410m'],
    revisions: ['main', 'step1000', 'step64000'],
    // their index counts blocks
    representations: ['h1', 'h24'],
    pooling: ['mean'],
    max_length: 256,
    normalize: true,
    seeds: [7],
  })
  expect(experiment.notices.map((notice) => notice.split(':')[0])).toEqual(['embedding.dtype', 'execution.fail_fast'])
  expect(experiment.text).toContain('representations: ["h1","h24"]')
})

test('its defaults are those of its code', async () => {
  const experiment = await read('hf: {}\n')
  expect([
    experiment.models?.length,
    experiment.revisions,
    experiment.max_length,
    experiment.representations,
    experiment.seeds,
    experiment.found.tasks.length,
  ]).toEqual([3, ['main'], 2048, ['all'], [42], 32])
})

test('shards: each task is of one, by Adler-32 of its name; one size alone', async () => {
  const text = 'hf: {}\nmteb: { tasks: [STS12, STS13, STS14, STS15] }\n'
  const names = await Promise.all(
    [0, 1].map(async (id) => (await read(text, { count: 2, id })).found.tasks.map(({ name }) => name)),
  )
  // zlib.adler32(name) % 2 in Python
  expect(names).toEqual([
    ['STS12', 'STS14'],
    ['STS13', 'STS15'],
  ])
  expect((await read(text, { onlySize: '70m' })).models).toEqual(['EleutherAI/pythia-70m'])
  await expect(read(text, { onlySize: '1b' })).rejects.toThrow(/no such size in the file – 1b, wanted 14m, 70m, 410m/)
  await expect(read('hf: {}\nmteb: { tasks: [STS12] }\n', { count: 2, id: 1 })).rejects.toThrow(
    /no task is of this shard/,
  )
})

test('a bandit is a search of every size; a mistake is reported with its line', async () => {
  const { search, models, revisions } = await read(
    'hf: { model_sizes: [14m, 410m], revisions: [main, step-64000] }\nembedding: { layers: [0, 5] }\nbandit: { enabled: true, budget: 50, baseline_checkpoint: step-64000 }\nrewards: { aggregation_method: robust_mean }\n',
  )
  expect([models, revisions, search]).toEqual([
    ['EleutherAI/pythia-14m', 'EleutherAI/pythia-410m'],
    ['main', 'step64000'],
    {
      policy: 'linucb',
      budget: 50,
      alpha: 1,
      layers: '1,6',
      context: 'core',
      baseline: 'step64000',
      aggregation: 'median',
      reward: 'z',
    },
  ])
  const { jobs } = await planExperiment(await read('hf: {}\nbandit: { enabled: true }\n'))
  expect(jobs.map(({ kind, reference, tasks }) => [kind, reference, tasks.length])).toEqual(
    ['14m', '70m', '410m'].map((size) => ['search', `EleutherAI/pythia-${size}`, 32]),
  )
  await expect(read('hf: {}\nbandit: { enabled: true, algorithm: thompson }\n')).rejects.toThrow(
    /bandit\.algorithm: no such policy – thompson/,
  )
  await expect(read('hf: {}\nembedding: { poling: cls }\n')).rejects.toThrow(
    /sweep\.yaml:2:14: unknown key embedding\.poling/,
  )
  await expect(read('hf: {}\nmteb: { tasks: [STS99] }\n')).rejects.toThrow(
    /sweep\.yaml, as an experiment:\d+:\d+ › tasks\.0: no such task/,
  )
})
