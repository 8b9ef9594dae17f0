import { expect, test } from 'vitest'
import { planExperiment, readExperiment } from '#experiment/run'
import { scratchFolder } from '../../scratch.ts'

const { file } = scratchFolder()
const models = file(
  'models_config.yaml',
  'models:\n  - { name: org/one, max_length: 256, batch_size: 32 }\n  - { name: org/two, max_length: 256 }\n',
)
const aggregation = file(
  'aggregation_config.yaml',
  'aggregation:\n  methods: [weighted, cluster_pca, best_single]\n  optimization: { lambda_penalty: 0.1, drop_delta: 0.15, max_layers: null }\n  pca: { output_dim: 384, n_sentences: 30000, batch_size: 256 }\n',
)
const stage = file(
  'experiment_config.yaml',
  'experiment:\n  similarity_metrics: [CKA, RSA, DistanceCorrelation, JaccardSimilarity]\n  mteb_categories: [STS]\n  evaluation: { batch_size: 32, languages: [eng] }\n',
)

test('the three files are one experiment', async () => {
  const experiment = await readExperiment([models, aggregation, stage])
  expect(experiment).toMatchObject({
    models: ['org/one', 'org/two'],
    max_length: 256,
    types: ['STS'],
    languages: ['eng'],
    aggregate: {
      methods: ['weighted', 'cluster_pca', 'best'],
      lambda: [0.1],
      similarity: ['cka', 'rsa', 'distance_correlation', 'jaccard'],
      components: 384,
    },
  })
  expect(new Set(experiment.found.tasks.map(({ type }) => type))).toEqual(new Set(['STS']))
})

test('models keep their own lengths: the jobs of each are those of an experiment with its length alone', async () => {
  const other = file('other.yaml', 'models: [{ name: org/one, max_length: 256 }, { name: org/two, max_length: 512 }]\n')
  // in any order of the files
  for (const files of [
    [other, aggregation, stage],
    [stage, aggregation, other],
  ]) {
    const experiment = await readExperiment(files)
    expect(experiment.max_length).toEqual({ 'org/one': 256, 'org/two': 512 })
    expect(experiment.benchmarks).toEqual(['MTEB(eng, v1)'])
  }
  const idsOf = async (lengths: string): Promise<Map<string, string>> => {
    const { jobs } = await planExperiment(
      await readExperiment(file('own.yaml', `models: [org/one, org/two]\ntasks: STS12\nmax_length: ${lengths}\n`)),
    )
    return new Map(jobs.map(({ reference, id }) => [reference, id]))
  }
  const [each, small, large] = [await idsOf('{ org/one: 256, org/two: 512 }'), await idsOf('256'), await idsOf('512')]
  expect([each.get('org/one'), each.get('org/two')]).toEqual([small.get('org/one'), large.get('org/two')])
  expect(small.get('org/two')).not.toBe(large.get('org/two'))
  await expect(
    readExperiment([file('stranger.yaml', 'models: [org/one]\ntasks: STS12\nmax_length: { org/other: 256 }\n')]),
  ).rejects.toThrow(/max_length\.org\/other: no such model in the file/)
})

test('what an experiment cannot say is refused, and so is a file that is no stage', async () => {
  const dropping = file('dropping.yaml', 'aggregation: { methods: [greedy], optimization: { drop_delta: 0.3 } }\n')
  await expect(readExperiment([models, dropping, stage])).rejects.toThrow(
    /dropping\.yaml: drop_delta: an experiment has no key for it – 0.3, wanted 0.15/,
  )
  const wrong = file('wrong.yaml', 'aggregation: { methods: [mean], optimisation: {} }\n')
  await expect(readExperiment([models, wrong])).rejects.toThrow(
    /wrong\.yaml:1:33: unknown key aggregation\.optimisation/,
  )
  await expect(readExperiment([models, file('mine.yaml', 'models: org/one\ntasks: STS12\n')])).rejects.toThrow(
    /several files are stages of one experiment/,
  )
})
