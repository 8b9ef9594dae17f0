import { writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { makeContext, gridOf, recordedMetrics, recordedScores } from '#experiment/search'
import { scratchFolder } from '../../scratch.ts'

const { path } = scratchFolder()
const lines = (name: string, rows: readonly object[]): string => {
  writeFileSync(path(name), rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
  return path(name)
}
const row = (more: object = {}) => ({
  family: 'P',
  size: '1m',
  revision: 'step1',
  layer: 0,
  task: 'STS17',
  split: 'test',
  main_score: { default: 0.5 },
  ...more,
})
const scoresOf = async (rows: readonly object[], options?: Parameters<typeof recordedScores>[1]): Promise<number[]> =>
  (await recordedScores(lines('scores.jsonl', rows), options)).rows.map(({ score }) => score)

describe('recorded scores', () => {
  test('of subsets the English one by name, wherever it stands', async () => {
    expect(
      await scoresOf([
        row({ main_score: { 'nl-en': 0.1, 'en-en': 0.2, 'en-de': 0.3 } }),
        row({ layer: 1, main_score: { 'en-ext': 0.4, en: 0.5 } }),
      ]),
    ).toEqual([0.2, 0.5])
  })

  test('one subset of any name is the one; of several none is, unless their mean is asked for', async () => {
    expect(await scoresOf([row({ main_score: { deu: 0.1 } })])).toEqual([0.1])
    const several = [row({ main_score: { deu: 0.1, fra: 0.3 } })]
    await expect(scoresOf(several)).rejects.toThrow(/STS17: there are several subsets, and none is the English one/)
    expect(await scoresOf(several, { averageSubsets: true })).toEqual([0.2])
  })

  test('of splits test before validation, in either order', async () => {
    const [a, b] = [row({ split: 'validation', main_score: { default: 0.1 } }), row()]
    expect([await scoresOf([a, b]), await scoresOf([b, a]), await scoresOf([a])]).toEqual([[0.5], [0.5], [0.1]])
  })

  test('a score that is none ends the reading', async () => {
    await expect(scoresOf([row({ main_score: { default: null } })])).rejects.toThrow(/P-1m step1 h0 STS17: no score/)
    await expect(recordedScores(path('absent.jsonl'))).rejects.toThrow(/no such file or folder/)
  })
})

describe('tables of mteb-layersweep', () => {
  const table = (name: string, ...rows: string[]): string => {
    writeFileSync(path(name), `${rows.join('\n')}\n`)
    return path(name)
  }
  const collector = 'model_family,model_size,revision,layer,task,score,output_dir'
  const bandit = 'timestamp,model_size,arm_checkpoint,arm_layer,task,raw_score,reward,aggregated_reward,status'

  test('of its collector: layers count blocks, a model of several is named', async () => {
    const file = table(
      'collected.csv',
      collector,
      'Pythia,410m,step512,0,STS17,0.25,out',
      'Pythia,410m,step512,23,STS17,0.5,out',
      'Pythia,70m,main,0,STS17,0.75,out',
    )
    const { model, rows } = await recordedScores(file, { model: 'pythia-410m' })
    expect([model, rows.map(({ checkpoint, layer, task, score }) => [checkpoint, layer, task, score])]).toEqual([
      'Pythia-410m',
      [
        ['step512', 'h1', 'STS17', 0.25],
        ['step512', 'h24', 'STS17', 0.5],
      ],
    ])
    await expect(recordedScores(file)).rejects.toThrow(/scores of several models; name one.*Pythia-410m, Pythia-70m/s)
  })

  test('of its bandit: the score, never the reward; a task that failed has none', async () => {
    const file = table(
      'bandit_progress.csv',
      bandit,
      '2025-12-01T10:00:00,410m,step1,2,STS17,0.125,0,0,completed',
      '2025-12-01T10:01:00,410m,step1,2,STS12,,,,failed',
    )
    const { model, rows } = await recordedScores(file)
    expect([model, rows.map(({ layer, score }) => [layer, score])]).toEqual(['410m', [['h3', 0.125]]])
    expect(gridOf(rows, { place: file }).arms.map(({ key }) => key)).toEqual(['step1 h3'])
  })

  test('what is no layer is refused by its row', async () => {
    await expect(
      recordedScores(table('wrong.csv', collector, 'P,1m,main,0,STS17,0.5,out', 'P,1m,main,last,STS17,0.5,out')),
    ).rejects.toThrow(/wrong\.csv › row 2: not a score of a layer/)
  })
})

describe('the grid', () => {
  const arm = (checkpoint: string, layer: string, task = 'a') => ({ checkpoint, layer, task, score: 0.5 })

  test('is ordered by training step and by layer, names without a step last', () => {
    const { arms } = gridOf([arm('main', 'h0'), arm('step64', 'h10'), arm('step64', 'h2'), arm('step8', 'h0')], {
      place: 'x',
    })
    expect(arms.map(({ key }) => key)).toEqual(['step8 h0', 'step64 h2', 'step64 h10', 'main h0'])
    // those without a step, and those of one step, by their names
    const named = gridOf([arm('main', 'h0'), arm('best', 'h0'), arm('b-2', 'h0'), arm('a-2', 'h0')], { place: 'x' })
    expect(named.arms.map(({ checkpoint }) => checkpoint)).toEqual(['a-2', 'b-2', 'best', 'main'])
  })

  test('an arm that lacks a task is none, and told', () => {
    const { arms, incomplete } = gridOf([arm('step1', 'h0'), arm('step1', 'h0', 'b'), arm('step1', 'h1')], {
      place: 'x',
    })
    expect([arms.map(({ key }) => key), incomplete]).toEqual([['step1 h0'], [{ key: 'step1 h1', missing: ['b'] }]])
    expect(() => gridOf([arm('step1', 'h0')], { place: 'x', tasks: ['a', 'c'] })).toThrow(/no score of c/)
    expect(() => gridOf([arm('step1', 'h0'), arm('step1', 'h1', 'b')], { place: 'x' })).toThrow(
      /no arm has a score on every task/,
    )
  })
})

describe('recorded metrics', () => {
  const metric = (name: string, values: (number | null)[], more: object = {}) => ({
    family: 'P',
    size: '1m',
    revision: 'step1',
    corpus: 'wikitext',
    metric: name,
    values: { raw: values.map(() => 9), logNlogD: values },
    ...more,
  })
  const names = ['entropy_sentence', 'entropy_dataset', 'lidar', 'dime']

  test('four features of an arm, in their order; null is not known', async () => {
    const file = lines(
      'metrics.jsonl',
      names.map((name, i) => metric(name, [i, i === 2 ? null : 10 + i])),
    )
    const featuresOf = await recordedMetrics(file, {})
    expect([featuresOf('step1', 'h0'), featuresOf('step1', 'h1'), featuresOf('step2', 'h0')]).toEqual([
      [0, 1, 2, 3],
      undefined,
      undefined,
    ])
  })

  test('of several corpora wikitext, or the one that is named', async () => {
    const file = lines('corpora.jsonl', [
      ...names.map((name) => metric(name, [1])),
      ...names.map((name) => metric(name, [2], { corpus: 'mteb/x/test' })),
    ])
    expect((await recordedMetrics(file, {}))('step1', 'h0')).toEqual([1, 1, 1, 1])
    expect((await recordedMetrics(file, { corpus: 'mteb/x/test' }))('step1', 'h0')).toEqual([2, 2, 2, 2])
    await expect(recordedMetrics(file, { corpus: 'c4' })).rejects.toThrow(/metrics of several corpora; name one/)
  })

  test('a document of strata metrics', async () => {
    const values = {
      sentence_entropy: { raw: 9, logNlogD: 1 },
      dataset_entropy: { logNlogD: 2 },
      lidar: { unit: { entropy: 9 }, centred: { entropy: 3, exp: 9 } },
      dime: { centred: { raw: 9, logNlogD: 4 } },
    }
    writeFileSync(
      path('metrics.json'),
      JSON.stringify({ model: 'm', revision: 'step1', layers: { '0': values, '1': { dime: 1 } } }),
    )
    const featuresOf = await recordedMetrics(path('metrics.json'), {})
    // of models in folders of their own the checkpoint is the model's name
    expect([featuresOf('step1', 'h0'), featuresOf('step1', 'h1'), featuresOf('m', 'h0')]).toEqual([
      [1, 2, 3, 4],
      undefined,
      [1, 2, 3, 4],
    ])
  })

  test('a file without the usual four gives all that it has', async () => {
    const layers = {
      '0': { knn_curvature: { log10_of_mean: 3, mean_of_log10: 2 }, effective_rank: 7, curvature: { signed: 1 } },
    }
    writeFileSync(path('core.json'), JSON.stringify({ model: 'm', revision: 'step1', layers }))
    expect((await recordedMetrics(path('core.json'), {}))('step1', 'h0')).toEqual([3, 7, 1])
    const rows = [metric('curvature', [4], { values: { logD: [4] } }), metric('lidar', [5])]
    expect((await recordedMetrics(lines('some.jsonl', rows), {}))('step1', 'h0')).toEqual([4, 5])
  })

  test('depth: how deep in the model, and how late; a checkpoint without a step is the last one told, or where it is said to be', () => {
    const arms = ['step10 h0', 'step1000 h2', 'main h4'].map((key) => ({
      key,
      checkpoint: key.split(' ')[0] ?? '',
      layer: key.split(' ')[1] ?? '',
      scores: {},
    }))
    const shown = (lastStep?: number): unknown[] =>
      arms.map(makeContext({ arms }, { metrics: undefined, depth: true, lastStep }))
    expect(shown()).toEqual([
      [0, 0, 1],
      [0.5, 0.25, 3],
      [1, 1, 3],
    ])
    expect(shown(100_000)[2]).toEqual([1, 1, 5])
    expect(arms.map(makeContext({ arms }, { metrics: undefined, depth: false }))).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })
})
