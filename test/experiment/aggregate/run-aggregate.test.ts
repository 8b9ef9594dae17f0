import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openModel } from '#experiment/open'
import { readCorpus } from '#experiment/encode'
import {
  type Aggregated,
  aggregateReport,
  type AggregateOptions,
  runAggregate,
  writeChosen,
  writeTables,
} from '#experiment/aggregate'
import { evaluate } from '#experiment/sweep'
import type { Model } from '#model/checkpoint'
import { openStore } from '#platform/vectors'
import { aggregationNamed } from '#representation/aggregation'
import { similarities } from '#representation/similarity'
import { type ChosenTasks, chooseTasks } from '#task/registry'
import { scratchFolder } from '../../scratch.ts'
import { openLayerSpace } from '../../../src/experiment/aggregate/layer-space.ts'
import { writeSmallModel } from '../encode/small-model.ts'

const { path, file } = scratchFolder()

/** Pairs of words that the model knows; `gold` says how alike people found them. */
function rows(count: number, gold: (i: number) => number, from = 0): string {
  const text = (i: number): string => `${'a '.repeat(i % 5)}${'b '.repeat((i * 3) % 4)}${i % 2 === 0 ? 'a' : 'b'}`
  const lines = Array.from({ length: count }, (_, i) => `${text(i + from)},${text(7 * i + from + 1)},${gold(i)}`)
  return `${['first,second,rating', ...lines].join('\n')}\n`
}

const up = (i: number): number => i % 7
const down = (i: number): number => (i * 5) % 11

/** A task by its splits. */
function pairsTask(name: string, splits: Readonly<Record<string, (i: number) => number>>): string {
  for (const [split, gold] of Object.entries(splits))
    file(`${name}-${split}.csv`, rows(split === 'test' ? 24 : 30, gold, split.length))
  const data = Object.keys(splits)
    .map((split) => `  ${split}: ${name}-${split}.csv\n`)
    .join('')
  return file(
    `${name}.yaml`,
    `name: ${name}\ntype: STS\nlanguages: [eng-Latn]\nsplits: [test]\ndata:\n${data}columns: { sentence1: first, sentence2: second, score: rating }\n`,
  )
}

function labelsTask(name: string, test: (i: number) => string): string {
  const list = (count: number, label: (i: number) => string): string =>
    `${['text,label', ...Array.from({ length: count }, (_, i) => `${'a '.repeat(i % 6)}${'b '.repeat((i * i) % 5)}b,${label(i)}`)].join('\n')}\n`
  file(
    `${name}-train.csv`,
    list(60, (i) => `l${i % 3}`),
  )
  file(`${name}-test.csv`, list(30, test))
  return file(
    `${name}.yaml`,
    `name: ${name}\ntype: Classification\nlanguages: [eng-Latn]\nsplits: [test]\ndata:\n  train: ${name}-train.csv\n  test: ${name}-test.csv\ncolumns: { text: text, label: label }\n`,
  )
}

let model: Model
let runs = 0
beforeAll(async () => {
  model = await openModel(await writeSmallModel(path('model')), { store: openStore(path('vectors')) })
})
afterAll(() => model.close())

async function aggregated(
  files: readonly string[],
  more: Partial<AggregateOptions> = {},
): Promise<Aggregated & { heard: string[]; root: string; chosen: ChosenTasks }> {
  const chosen = await chooseTasks(files, {})
  const heard: string[] = []
  const root = more.outputFolder ?? path(`results-${runs++}`)
  const done = await runAggregate(model, {
    tasks: chosen.tasks,
    ownData: chosen.ownData,
    methods: aggregationNamed('all'),
    similarities: [similarities.cka],
    validationFolder: path('validation'),
    components: 3,
    onResult: ({ result, state }) => heard.push(`${result.task_name} ${result.strata.representation} ${state}`),
    ...more,
    outputFolder: root,
  })
  return { ...done, heard, root, chosen }
}

const qualitiesOf = ({ tasks }: Aggregated): number[][] => tasks.map(({ quality }) => [...quality.values])
const namesOf = ({ tasks }: Aggregated): string[][] =>
  tasks.map(({ candidates }) => candidates.map(({ representation }) => representation.name))

describe('a choice', () => {
  test('does not move with the scores it is judged by, but with those of the validation rows', async () => {
    const one = await aggregated([pairsTask('One', { train: up, validation: up, test: up })])
    // the same rows to learn and to choose by, other gold scores to be judged by
    const judged = await aggregated([pairsTask('One', { train: up, validation: up, test: down })])
    const moved = await aggregated([pairsTask('One', { train: up, validation: down, test: up })])
    const choiceOf = async (of: Awaited<ReturnType<typeof aggregated>>): Promise<unknown> => {
      const { tasks } = await aggregateReport(of, of.root)
      return tasks.map(({ chosen, mix, single, cells }) => [
        chosen?.representation,
        mix?.representation,
        single?.representation,
        cells.map(({ representation }) => representation),
      ])
    }
    expect(await choiceOf(judged)).toEqual(await choiceOf(one))
    expect(qualitiesOf(judged)).toEqual(qualitiesOf(one))
    expect(qualitiesOf(moved)).not.toEqual(qualitiesOf(one))
    expect(one.tasks[0]?.validation).toBe('validation')
  })

  test('of the single layer is by validation, whatever is given as quality', async () => {
    const tasks = [pairsTask('Given', { train: up, validation: up, test: down })]
    const singleOf = async (more: Partial<AggregateOptions>): Promise<string | undefined> => {
      const run = await aggregated(tasks, { methods: aggregationNamed('mean,best'), ...more })
      return (await aggregateReport(run, run.root)).tasks[0]?.single?.representation
    }
    const given = (...values: number[]): Partial<AggregateOptions> => ({
      quality: { name: 'q.json', read: () => Promise.resolve(Float64Array.from(values)) },
    })
    const validated = await singleOf({})
    expect([await singleOf(given(1, 0)), await singleOf(given(0, 1))]).toEqual([validated, validated])
  })

  test('is not made where a given quality is all there is: nothing is called chosen', async () => {
    const corpus = await readCorpus('own', one(['a', 'b', 'a b', 'b b a'].map((text) => ({ text }))))
    const methods = aggregationNamed('weighted,mean')
    const run = await aggregated([pairsTask('Alone', { test: up })], {
      methods,
      lambdas: [0, 1],
      quality: 'diagonal',
      corpus,
    })
    const report = await aggregateReport(run, run.root)
    const [task] = report.tasks
    expect(task).toMatchObject({ chosen: undefined, mix: undefined, single: undefined, mixAgainstSingle: undefined })
    expect(task?.cells.map(({ method }) => method)).toEqual(['mean'])
    expect(report.sentence).toContain('nothing to compare')
  })

  test('the last layer is the last of the model, whichever was scored first', async () => {
    const tasks = [pairsTask('Order', { train: up, validation: up, test: down })]
    const options = { methods: aggregationNamed('mean') }
    const whole = await aggregated(tasks, options)
    const { last } = (await aggregateReport(whole, whole.root)).tasks[0] ?? {}
    const [file = ''] = readdirSync(whole.root, { recursive: true, encoding: 'utf8' }).filter((one) =>
      one.endsWith(join('h0', 'Order.json')),
    )
    rmSync(join(whole.root, file))
    const again = await aggregated(tasks, { ...options, outputFolder: whole.root })
    expect([...(again.tasks[0]?.results.keys() ?? [])].filter((name) => /^h\d$/.test(name))).toEqual(['h1', 'h0'])
    expect((await aggregateReport(again, again.root)).tasks[0]?.last).toBe(last)
    expect(whole.tasks[0]?.results.get('h0')?.scores).not.toEqual(whole.tasks[0]?.results.get('h1')?.scores)
  })

  test('of a classification without a development split looks at a fifth of its training rows', async () => {
    const one = await aggregated([labelsTask('Labels', (i) => `l${i % 3}`)], { methods: aggregationNamed('best,mean') })
    const other = await aggregated([labelsTask('Labels', (i) => `l${(i + 1) % 3}`)], {
      methods: aggregationNamed('best,mean'),
    })
    expect(one.tasks[0]?.validation).toBe('20 % of train')
    expect(qualitiesOf(other)).toEqual(qualitiesOf(one))
    const [first] = one.tasks
    expect(first?.quality.notes).toMatchObject({ validation: '20 % of train' })
  })

  test('of a task that has only what it is judged on goes by the other tasks, and without those is refused', async () => {
    const bare = pairsTask('Bare', { test: up })
    const both = await aggregated([pairsTask('Whole', { train: up, validation: up, test: up }), bare], {
      methods: aggregationNamed('best,mean'),
    })
    const [whole, borrowed] = both.tasks
    const top = Math.max(...(whole?.quality.values ?? []))
    expect([...(borrowed?.quality.values ?? [])]).toEqual(
      [...(whole?.quality.values ?? [])].map((value) => Math.max(0, value) / top),
    )
    expect(borrowed?.quality.notes).toMatchObject({ validation: 'other tasks: Whole' })
    const { tasks } = await aggregateReport(both, both.root)
    expect(tasks[1]?.chosen?.recipe.method).toBe(tasks[0]?.chosen?.recipe.method)
    await expect(aggregated([bare], { methods: aggregationNamed('best') })).rejects.toMatchObject({
      code: 'usage.value',
    })
  })
})

describe('candidates', () => {
  test('that come to the same vectors are scored once and have a result each', async () => {
    const { tasks, heard, root } = await aggregated([pairsTask('Same', { train: up, validation: up, test: down })], {
      lambdas: [0, 0.5],
    })
    const [task] = tasks
    const candidates = task?.candidates ?? []
    // λ has no say: one candidate, both prices
    expect(candidates.filter(({ recipes }) => recipes.length === 2).length).toBeGreaterThan(0)
    const last = candidates.find(({ representation }) => representation.about['method'] === 'last')
    expect(last?.same).toEqual({ kind: 'state', h: 1 })
    const [state, twin] = [task?.results.get('h1'), task?.results.get(last?.representation.name ?? '')]
    expect(twin?.scores).toEqual(state?.scores)
    expect(twin?.strata.settings).toMatchObject({ combination: { method: 'last', weights: { 0: 0, 1: 1 } } })
    expect(twin?.strata.fingerprint).not.toBe(state?.strata.fingerprint)
    expect(new Set(heard).size).toBe(heard.length)
    const compared = await aggregateReport(
      {
        ...(await aggregated([pairsTask('Same', { train: up, validation: up, test: down })], {
          lambdas: [0, 0.5],
          outputFolder: root,
        })),
      },
      root,
    )
    const cell = compared.tasks[0]?.cells.find(({ method }) => method === 'last')
    expect(cell?.held.find(({ against }) => against === 'last')).toMatchObject({ difference: 0, low: 0, high: 0, p: 1 })
  })

  test('are kept apart on one cache by everything that moves a vector', async () => {
    const tasks = [pairsTask('Apart', { train: up, validation: up, test: down })]
    const outputFolder = path('apart')
    const texts = async (list: readonly string[]) => readCorpus('own', one(list.map((text) => ({ text }))))
    const plain = await aggregated(tasks, { outputFolder })
    const seen = [
      plain,
      await aggregated(tasks, { outputFolder, layerNorm: 'l2' }),
      await aggregated(tasks, { outputFolder, corpus: await texts(['a', 'b', 'a b', 'b b a', 'a a']) }),
    ]
    const projected = seen.map((run) => namesOf(run)[0]?.find((name) => name.startsWith('all_pca')))
    expect(new Set(projected).size).toBe(3)
    const again = await aggregated(tasks, { outputFolder })
    const ownWork =
      again.tasks[0]?.candidates.flatMap(({ same, representation }) =>
        same === undefined ? [representation.name] : [],
      ) ?? []
    expect(again.heard.filter((line) => line.endsWith('done') && ownWork.some((name) => line.includes(name)))).toEqual(
      [],
    )
    expect(again.passed.texts).toBe(0)
    expect(again.tasks[0]?.results).toEqual(new Map(plain.tasks[0]?.results))
  })

  test('of principal components are other ones where texts are read otherwise', async () => {
    const corpus = await readCorpus('own', one(['a', 'b', 'a b', 'b b a'].map((text) => ({ text }))))
    const sourceOf = async (options: Parameters<typeof openModel>[1]): Promise<string> => {
      const read = await openModel(path('model'), options)
      try {
        return openLayerSpace(read, corpus, { layerNorm: 'none' }).source
      } finally {
        await read.close()
      }
    }
    const sources = [
      await sourceOf({}),
      await sourceOf({ maxLength: 4 }),
      await sourceOf({ dtype: 'int8' }),
      await sourceOf({ prompt: 'a' }),
    ]
    expect(new Set(sources).size).toBe(4)
    expect(await sourceOf({})).toBe(sources[0])
  })

  test('are as many as methods, similarities and prices allow', async () => {
    const run = await aggregated([pairsTask('Many', { train: up, validation: up, test: down })], {
      methods: aggregationNamed('weighted,mean'),
      lambdas: [0.1, 1],
      similarities: [similarities.cka, similarities.rsa],
    })
    const recipes = run.tasks[0]?.candidates.flatMap((candidate) => candidate.recipes) ?? []
    expect(recipes.map(({ method, lambda, similarity }) => `${method} ${lambda} ${similarity}`).toSorted()).toEqual(
      ['mean null null', 'weighted 0.1 cka', 'weighted 0.1 rsa', 'weighted 1 cka', 'weighted 1 rsa'].toSorted(),
    )
  })
})

test('each of several similarities is what it is in a run of its own', async () => {
  const tasks = [pairsTask('Apart', { train: up, validation: up, test: down })]
  const measures = [similarities.cka, similarities.rsa, similarities.jaccard]
  const together = await aggregated(tasks, { similarities: measures })
  const apart = new Map<string, Float64Array>()
  for (const one of measures)
    for (const [name, matrix] of (await aggregated(tasks, { similarities: [one] })).similarities)
      apart.set(name, matrix)
  expect(together.similarities).toEqual(apart)
  expect(new Set([...apart.values()].map(String)).size).toBe(3)
})

test('a result that is to stay is not replaced by that of the same vectors', async () => {
  const tasks = [pairsTask('Stays', { train: up, validation: up, test: down })]
  const first = await aggregated(tasks, { methods: aggregationNamed('last') })
  const name = first.tasks[0]?.candidates[0]?.representation.name ?? ''
  const [file = ''] = readdirSync(first.root, { recursive: true, encoding: 'utf8' }).filter((one) =>
    one.endsWith(join(name, 'Stays.json')),
  )
  const place = join(first.root, file)
  const changed = readFileSync(place, 'utf8').replace(/"fingerprint": "[0-9a-f]{8}/, '"fingerprint": "00000000')
  writeFileSync(place, changed)
  await aggregated(tasks, { methods: aggregationNamed('last'), outputFolder: first.root, overwriteStrategy: 'never' })
  expect(readFileSync(place, 'utf8')).toBe(changed)
  await aggregated(tasks, { methods: aggregationNamed('last'), outputFolder: first.root })
  expect(readFileSync(place, 'utf8')).not.toBe(changed)
})

describe('what is written', () => {
  test('is a representation that any command takes, and the tables of the experiments', async () => {
    const run = await aggregated([pairsTask('Written', { train: up, validation: down, test: up })], {
      methods: aggregationNamed('mean,all_pca,last'),
    })
    const files = await writeChosen(model, run, run.root)
    const [file = ''] = files.values()
    const [result] = await evaluate(model, {
      tasks: [path('Written.yaml')],
      representations: [file],
      outputFolder: path('again'),
    })
    const own = run.tasks[0]?.results.get(result?.strata.representation ?? '')
    expect(result?.scores).toEqual(own?.scores)
    await writeTables(path('tables'), [{ model, aggregated: run }])
    const [head = '', line = ''] = readFileSync(path('tables/results_table.csv'), 'utf8').split('\n')
    expect(head).toBe('Task,all_pca_lambda1.0,last_lambda1.0,mean_lambda1.0')
    expect(line.split(',')).toHaveLength(4)
    const summary = JSON.parse(readFileSync(path('tables/experiment_summary.json'), 'utf8')) as {
      models: { tasks: { candidates: unknown[] }[] }[]
    }
    expect(summary.models[0]?.tasks[0]?.candidates).toHaveLength(3)
    expect(readFileSync(path('tables/model/mean/Written/metrics.csv'), 'utf8')).toContain('cosine_spearman')
  })
})

describe('hostile settings', () => {
  const task = (): string => pairsTask('Hostile', { train: up, validation: down, test: up })
  test.each([
    [
      'a similarity of another number of layers',
      { similarities: [{ name: 'file', matrix: new Float64Array(9).fill(1) }] },
    ],
    [
      'the number of qualities differs from the number of layers',
      { quality: { name: 'q.json', read: () => Promise.resolve(Float64Array.of(1, 2, 3)) } },
    ],
  ] as const)('%s is refused', async (_what, more) => {
    await expect(aggregated([task()], more)).rejects.toMatchObject({ code: 'usage.value' })
  })

  test('a singular similarity and constant qualities give weights all the same', async () => {
    const run = await aggregated([task()], {
      similarities: [{ name: 'ones', matrix: new Float64Array(4).fill(1) }],
      quality: { name: 'q.json', read: () => Promise.resolve(Float64Array.of(0.5, 0.5)) },
    })
    const sums = run.tasks[0]?.candidates.flatMap(({ representation: { mix } }) =>
      mix.kind === 'sum' ? [mix.weights.reduce((sum, weight) => sum + weight, 0)] : [],
    )
    expect(sums?.every((sum) => Math.abs(sum - 1) < 1e-12)).toBe(true)
  })

  test('a corpus of one text still gives projections', async () => {
    const run = await aggregated([task()], {
      methods: aggregationNamed('all_pca'),
      corpus: await readCorpus('one', one([{ text: 'a b' }])),
    })
    expect(run.tasks[0]?.results.get(namesOf(run)[0]?.[0] ?? '')?.strata.status).toBeDefined()
  })

  test('a task named twice is refused by its name', async () => {
    const file = task()
    await expect(aggregated([file, file])).rejects.toMatchObject({ code: 'usage.conflict' })
  })
})

// oxlint-disable-next-line typescript/require-await -- a stream of one batch
async function* one<T>(batch: readonly T[]): AsyncGenerator<readonly T[]> {
  yield batch
}
