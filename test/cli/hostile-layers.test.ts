/**
 * What layers, texts and settings of strangers may hold: commands that look inside a model refuse it with its place, or
 * give a value that is defined.
 */
import { existsSync, writeFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Result } from '#core'
import { writeSmallModel } from '../experiment/encode/small-model.ts'
import { scratchFolder } from '../scratch.ts'
import { pairsTask } from './pairs-task.ts'
import { strata } from './program.ts'

const { path, file } = scratchFolder()
const texts = file(
  'words.txt',
  ['a', 'b', 'a b', 'b a a', 'b b', 'a a b', 'b a', 'a b b b', 'a b a b a'].join('\n') + '\n',
)
const oneText = file('one.txt', 'a b\n')
const broken = file('broken.txt', 'a b\nb nan a\nb b\n')

const task = pairsTask(file, 'Pairs')

const still = (values: readonly number[]) => ({ shape: [4], values })
beforeAll(async () => {
  await writeSmallModel(path('sound'))
  // the last state is the same for every token of every text
  const norm = 'encoder.layer.0.output.LayerNorm'
  await writeSmallModel(path('still'), {
    'model.safetensors': { [`${norm}.weight`]: still([0, 0, 0, 0]), [`${norm}.bias`]: still([1, 2, 3, 4]) },
  })
  // [CLS] in front: its first state is the same in every text
  const processor = {
    type: 'TemplateProcessing',
    single: [{ SpecialToken: { id: '[CLS]', type_id: 0 } }, { Sequence: { id: 'A', type_id: 0 } }],
    pair: [],
  }
  const special = { '[CLS]': { id: '[CLS]', ids: [2], tokens: ['[CLS]'] } }
  await writeSmallModel(path('opening'), {
    'tokenizer.json': { post_processor: { ...processor, special_tokens: special } },
  })
  await writeSmallModel(path('none'), { 'config.json': { num_hidden_layers: 0 } })
})

const asked = (command: string, model: string, ...flags: readonly string[]) =>
  strata([command, path(model), '--cache-dir', path('cache'), ...flags])

interface Similarities {
  readonly metrics: Record<string, { mean: (number | null)[][]; std: (number | null)[][] }>
}

describe('a layer that never moves', () => {
  test('is like nothing, and is no NaN, in every similarity', async () => {
    const { stdout, code } = await asked('similarity', 'still', '--texts', texts, '--metrics', 'all', '--json')
    expect(code).toBe(0)
    const { metrics } = JSON.parse(stdout) as Similarities
    expect(Object.keys(metrics)).toHaveLength(12)
    for (const { mean, std } of Object.values(metrics))
      expect([...mean, ...std].flat().every((value) => typeof value === 'number')).toBe(true)
    for (const name of ['CKA', 'RSA', 'DistanceCorrelation', 'SVCCA', 'Procrustes']) {
      expect(metrics[name]?.mean).toEqual([
        [1, 0],
        [0, 0],
      ])
    }
  })

  test('has metrics that are defined, or null where there are none', async () => {
    const { stdout, code } = await asked('metrics', 'still', '--texts', texts, '--json')
    expect(code).toBe(0)
    const { layers } = JSON.parse(stdout) as { layers: Record<string, Record<string, unknown>> }
    expect(layers['1']).toMatchObject({
      effective_rank: 1,
      anisotropy: 0,
      spectral_norm: 0,
      sentence_entropy: { raw: 0 },
    })
    expect(stdout).not.toContain('NaN')
  })

  test('has no quality, and the mixes say so, and is a failed result by itself', async () => {
    const flags = ['--task-file', task, '--results', path('still-results'), '--methods', 'weighted,best', '--json']
    const { stdout, code } = await asked('aggregate', 'still', ...flags)
    expect(code).toBe(1)
    const results = stdout
      .trimEnd()
      .split('\n')
      .flatMap((line) => (line.startsWith('{"aggregate"') ? [] : [JSON.parse(line) as Result]))
    expect(results.find(({ strata: { representation } }) => representation === 'h1')?.strata).toMatchObject({
      status: 'failed',
      code: 'task.value',
    })
    const mixes = results.flatMap(({ strata: { settings } }) =>
      settings['combination'] === undefined ? [] : [settings['combination']],
    )
    expect(mixes).toHaveLength(2)
    for (const mix of mixes)
      expect(mix).toMatchObject({
        qualities: { 1: 0 },
        unscored: { 1: expect.stringContaining('equally similar') as string },
      })
    expect(mixes).toContainEqual(expect.objectContaining({ method: 'best', weights: { 0: 1, 1: 0 } }))
  })
})

test('the opening token, which begins every text alike, does not end a grid of poolings', async () => {
  const flags = [
    '--task-file',
    task,
    '--results',
    path('opening-results'),
    '--pooling',
    'mean,cls',
    '--methods',
    'mean,best',
    '--json',
  ]
  const { stdout } = await asked('aggregate', 'opening', ...flags)
  const reports = stdout
    .trimEnd()
    .split('\n')
    .flatMap((line) =>
      line.startsWith('{"aggregate"') ? [JSON.parse(line) as { aggregate: { pooling: string } }] : [],
    )
  expect(reports.map(({ aggregate }) => aggregate.pooling)).toEqual(['mean', 'cls'])
})

test('one text has similarities and metrics that are defined, and no interval', async () => {
  const similarity = await asked('similarity', 'sound', '--texts', oneText, '--metrics', 'all', '--json')
  expect(similarity.code).toBe(0)
  for (const { mean, std } of Object.values((JSON.parse(similarity.stdout) as Similarities).metrics))
    expect([...mean, ...std].flat().every((value) => typeof value === 'number')).toBe(true)
  const metrics = await asked('metrics', 'sound', '--texts', oneText, '--json')
  expect(metrics.code).toBe(0)
  expect(JSON.parse(metrics.stdout)).toMatchObject({
    num_samples: 1,
    layers: { 0: { effective_rank: 1, sentence_entropy: { raw: 0 } } },
    intervals: { 0: {} },
  })
})

test('a model without layers is refused by its config', async () => {
  for (const command of ['similarity', 'metrics']) {
    const { code, stderr } = await asked(command, 'none', '--texts', texts)
    expect([code, stderr.includes('num_hidden_layers')]).toEqual([1, true])
  }
})

test('vectors that are not finite are refused with their text and state', async () => {
  for (const [command, ...flags] of [
    ['similarity', '--texts', broken],
    ['metrics', '--texts', broken],
    ['aggregate', '--task-file', pairsTask(file, 'Broken', 'nan'), '--results', path('broken-results')],
  ] as const) {
    const { code, stderr } = await asked(command, 'sound', ...flags)
    expect([code, stderr]).toEqual([1, expect.stringMatching(/nan.*: its h0 is not finite/)])
  }
})

test('a quality file with too few layers, and a representation of another model, are refused before anything is scored', async () => {
  const quality = file('few.json', '[0.5]')
  const few = await asked('aggregate', 'sound', '--task-file', task, '--results', path('few'), '--quality', quality)
  expect([few.code, few.stderr]).toEqual([
    2,
    expect.stringContaining('the number of qualities differs from the number of layers'),
  ])
  const made = await asked(
    'aggregate',
    'sound',
    '--task-file',
    task,
    '--results',
    path('made'),
    '--methods',
    'mean',
    '--json',
  )
  const last = made.stdout.trimEnd().split('\n').at(-1) ?? ''
  const mix =
    Object.values((JSON.parse(last) as { aggregate: { files: Record<string, string> } }).aggregate.files)[0] ?? ''
  const other = await asked(
    'evaluate',
    'still',
    '--task-file',
    task,
    '--results',
    path('other'),
    '--representation',
    mix,
  )
  expect([other.code === 0, other.stderr]).toEqual([false, expect.stringContaining('another model')])
})

test('a pickle that would run something is refused as a matrix, and nothing runs', async () => {
  // cos\nsystem\n(S'touch …'\ntR. – what a pickle needs to run a command
  writeFileSync(path('evil.pkl'), `cos\nsystem\n(S'touch ${path('ran')}'\ntR.`)
  const flags = [
    '--task-file',
    task,
    '--results',
    path('evil'),
    '--similarity-matrix',
    path('evil.pkl'),
    '--methods',
    'weighted',
  ]
  const { code, stderr } = await asked('aggregate', 'sound', ...flags)
  expect([code === 0, stderr.includes('evil.pkl'), existsSync(path('ran'))]).toEqual([false, true, false])
})
