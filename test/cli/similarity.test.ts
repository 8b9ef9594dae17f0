import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { openModel } from '#experiment/open'
import { combinationOf, writeRepresentation } from '#representation/layers'
import { writeSmallModel } from '../experiment/encode/small-model.ts'
import { scratchFolder } from '../scratch.ts'
import { drawn } from '../result/pictures/drawn.ts'
import { strata } from './program.ts'

const { path, file } = scratchFolder()
const texts = file('words.txt', ['a', 'b', 'a b', 'b a a', 'b b', 'a a b', 'b a', 'a b b b'].join('\n') + '\n')
beforeAll(async () => void (await writeSmallModel(path('model'))))

const asked = (...flags: readonly string[]) =>
  strata(['similarity', path('model'), '--cache-dir', path('cache'), ...flags])

test('prints one document, and writes the folder of the similarity stage', async () => {
  const { stdout, code } = await asked(
    '--texts',
    texts,
    '--metrics',
    'cka,RSA',
    '--sample-size',
    '6',
    '--trials',
    '2',
    '--seed',
    '7',
    '--json',
    '--out',
    path('out'),
  )
  expect(code).toBe(0)
  const report = JSON.parse(stdout) as { metrics: Record<string, { mean: number[][]; std: number[][] }> }
  expect(report).toMatchObject({
    model: 'model',
    dataset: 'words',
    pooling: 'mean',
    num_samples: 8,
    num_layers: 2,
    sample_size: 6,
    trials: 2,
    seed: 7,
    transform: null,
  })
  expect(Object.keys(report.metrics)).toEqual(['CKA', 'RSA'])
  const folder = path(join('out', 'model_mean_words'))
  expect(readdirSync(folder).toSorted()).toEqual(['metadata.json', 'similarities', 'similarities.json'])
  expect(readdirSync(join(folder, 'similarities')).toSorted()).toEqual([
    'CKA.npy',
    'CKA.png',
    'CKA.svg',
    'CKA_std.npy',
    'RSA.npy',
    'RSA.png',
    'RSA.svg',
    'RSA_std.npy',
  ])
  const picture = drawn(readFileSync(join(folder, 'similarities', 'CKA.svg'), 'utf8'))
  expect(picture.marks.filter(({ mark, role }) => mark === 'rect' && role === 'mark').length).toBe(4)
  const words = picture.marks.map(({ text }) => text)
  expect(words).toEqual(
    expect.arrayContaining([
      'CKA between the layers of model',
      'words: mean of 2 samples of 6 of 8 texts',
      'hidden state',
      '1.00',
    ]),
  )
  // of [0, 1], whatever the values
  expect(words.filter((_, i) => picture.marks[i]?.role === 'legend-label').at(0)).toBe('0.0')
  expect(JSON.parse(readFileSync(join(folder, 'similarities.json'), 'utf8'))).toEqual(report)
  expect(JSON.parse(readFileSync(join(folder, 'metadata.json'), 'utf8'))).toMatchObject({
    metrics: ['CKA', 'RSA'],
    num_samples: 8,
  })
  const bytes = readFileSync(join(folder, 'similarities', 'CKA.npy'))
  expect([
    ...new Float64Array(bytes.buffer.slice(bytes.byteOffset + bytes.length - 32, bytes.byteOffset + bytes.length)),
  ]).toEqual(report.metrics['CKA']?.mean.flat())
})

test('flags reach what they ask for, on one cache', async () => {
  const meanOf = async (...flags: readonly string[]): Promise<string> => {
    const { stdout, stderr } = await asked('--texts', texts, '--json', ...flags)
    if (stdout === '') throw new Error(stderr)
    return JSON.stringify((JSON.parse(stdout) as { metrics: unknown }).metrics)
  }
  const plain = await meanOf()
  const changed = [
    ['--pooling', 'cls'],
    ['--rows', '5'],
    ['--max-length', '3'],
    ['--prompt', 'b '],
    ['--transform', 'arccos'],
    ['--metrics', 'cosine'],
    ['--sample-size', '4'],
    ['--sample-size', '4', '--trials', '1'],
    ['--sample-size', '4', '--seed', '1'],
  ]
  const seen = new Set([plain])
  for (const flags of changed) {
    const own = await meanOf(...flags)
    expect([flags, seen.has(own)]).toEqual([flags, false])
    seen.add(own)
  }
  expect(await meanOf()).toBe(plain)
})

test('a representation stands behind the layers', async () => {
  const model = await openModel(path('model'))
  const mix = combinationOf('mean', { mix: { kind: 'sum', weights: Float64Array.of(0.5, 0.5) }, about: {} })
  const written = await writeRepresentation(path('mixes'), model, mix)
  await model.close()
  const flags = ['--texts', texts, '--metrics', 'cka', '--representation', `h1,${written}`]
  const { stdout } = await asked(...flags, '--json', '--out', path('behind'))
  const report = JSON.parse(stdout) as { metrics: { CKA: { mean: number[][] } } }
  expect(report).toMatchObject({ num_layers: 2, representations: ['h1', mix.name] })
  const [, layer, named, mixed] = report.metrics.CKA.mean
  // Of itself a layer is 1 to the last bit or the one before it.
  expect(named?.every((value, h) => Math.abs(value - (layer?.[h] ?? Number.NaN)) < 1e-12)).toBe(true)
  expect(mixed).toHaveLength(4)
  expect(mixed?.[0]).toBeLessThan(1 - 1e-6)
  const words = drawn(readFileSync(path('behind/model_mean_words/similarities/CKA.svg'), 'utf8')).marks.map(
    ({ text }) => text,
  )
  expect(words).toEqual(expect.arrayContaining(['h0', mix.name]))
  expect((await asked(...flags)).stdout).toContain(`\n${mix.name} `)
  const both = await strata([
    'similarity',
    path('model'),
    path('model'),
    ...flags,
    '--json',
    '--cache-dir',
    path('cache'),
  ])
  expect((JSON.parse(both.stdout) as typeof report).metrics.CKA.mean.map(({ length }) => length)).toEqual([2, 2, 2, 2])
})

test.each(['similarity', 'metrics'])('a vector that is not finite ends %s with the text it is of', async (command) => {
  const bad = file('bad.txt', 'a\nb\nnan\na b\n')
  for (const metrics of [[], ...(command === 'metrics' ? [['--metrics', 'curvature']] : [])]) {
    const { code, stderr } = await strata([
      command,
      path('model'),
      '--texts',
      bad,
      ...metrics,
      '--cache-dir',
      path('cache'),
    ])
    expect(code).toBe(1)
    expect(stderr).toMatch(/error tensor\.value +nan: its h0 is not finite – NaN/)
  }
})

test('a table for people; two models side by side; a task’s texts', async () => {
  const { stdout } = await asked('--texts', texts)
  expect(stdout).toMatch(/^CKA of model on words: all 8 texts\n +h0 +h1\n/)
  const { stdout: both } = await strata([
    'similarity',
    path('model'),
    path('model'),
    '--texts',
    texts,
    '--cache-dir',
    path('cache'),
  ])
  expect(both).toContain('CKA of model (rows) and model (columns) on words')
  file('pairs.csv', 'sentence1,sentence2,score\na,b,1\na b,b a,2\nb b,a a,3\nb,a b b,4\n')
  const task = file('pairs.yaml', 'name: Pairs\ntype: STS\ndata: { test: pairs.csv }\n')
  const { stdout: ofTask, stderr } = await asked('--task', task, '--json')
  if (ofTask === '') throw new Error(stderr)
  expect(JSON.parse(ofTask)).toMatchObject({ num_samples: 7 })
})

test('pictures are drawn for the page that is asked, and of two models with both names', async () => {
  const out = path('dark')
  const { code } = await strata([
    'similarity',
    path('model'),
    path('model'),
    '--texts',
    texts,
    '--out',
    out,
    '--transform',
    'arccos',
    '--background',
    'dark',
    '--cache-dir',
    path('cache'),
  ])
  expect(code).toBe(0)
  const svg = readFileSync(join(out, 'model_model_mean_words', 'similarities', 'CKA.svg'), 'utf8')
  expect(svg).toMatch(/<rect [^>]*fill="#0D1117"/)
  expect(drawn(svg).marks.map(({ text }) => text)).toEqual(
    expect.arrayContaining(['CKA (arccos) between the layers of model and model', 'hidden state of model']),
  )
})

test('the texts of a data set, the first of them, named by what was chosen', async () => {
  mkdirSync(path('own'), { recursive: true })
  file('own/train.jsonl', ['a', 'a b', 'b', 'b a', 'b b'].map((body) => `${JSON.stringify({ body })}\n`).join(''))
  const { stdout, stderr } = await asked('--data-set', `${path('own')}:::body`, '--rows', '4', '--json')
  if (stdout === '') throw new Error(stderr)
  expect(JSON.parse(stdout)).toMatchObject({ dataset: `${path('own')}:default:train:body`, num_samples: 4 })
  const { stdout: beside } = await strata([
    'metrics',
    path('model'),
    '--data-set',
    path('own'),
    '--column',
    'body',
    '--metrics',
    'rankme',
    '--json',
    '--cache-dir',
    path('cache'),
  ])
  expect(JSON.parse(beside)).toMatchObject({ dataset: `${path('own')}:default:train:body`, num_samples: 5 })
})

test.each([
  [['--metrics', 'ckaa', '--texts', texts], 'cka'],
  [[], '--texts'],
  [['--texts', texts, '--task', 'STS17'], 'only one of these can be given'],
  [['--data-set', `${path('own')}:default:train:text:more`], '--data-set'],
  [['--data-set', `${path('own')}::train:txt`], 'body'],
  [['--data-set', path('own'), '--texts', texts], 'only one of these can be given'],
  [['--texts', path('gone.txt')], 'gone.txt'],
  [['--texts', texts, '--trials', '0'], '--trials'],
  [['--texts', texts, '--transform', 'cos'], 'arccos'],
  [['--texts', texts, 'more', 'models'], 'one or two models'],
])('refuses %j', async (flags, word) => {
  const { code, stderr, stdout } = await asked(...flags)
  expect([code === 0, stdout]).toEqual([false, ''])
  expect(stderr).toContain(word)
})

test('a grid has a folder per model and pooling; one that fails is in its summary, and the others are there', async () => {
  const { code, stderr } = await asked(
    path('nowhere'),
    '--pooling',
    'mean,max',
    '--texts',
    texts,
    '--out',
    path('grid'),
  )
  expect([code, stderr]).toEqual([1, expect.stringContaining('2 of 4 written')])
  expect(readdirSync(path('grid')).toSorted()).toEqual([
    'grid_search_summary.json',
    'model_max_words',
    'model_mean_words',
  ])
  const { results, ...summary } = JSON.parse(readFileSync(path('grid/grid_search_summary.json'), 'utf8')) as {
    results: { success: boolean; error?: string }[]
  }
  expect(summary).toMatchObject({ total_experiments: 4, successful: 2, failed: 2 })
  expect(results.map(({ success, error }) => [success, error?.split(':')[0]])).toEqual([
    [true, undefined],
    [true, undefined],
    [false, 'file.missing'],
    [false, 'file.missing'],
  ])
  const three = await asked(path('model'), path('model'), '--texts', texts)
  expect([three.code, three.stderr]).toEqual([2, expect.stringContaining('--grid compares the layers of each model')])
})
