import { beforeAll, describe, expect, test } from 'vitest'
import { mkdirSync } from 'node:fs'
import { comparePairs, holm, signFlip } from '#result/statistics'
import { type Report, reportOf, tablesOf } from '#result/report'
import { writeResult } from '#result/ledger'
import { scratchFolder } from '../../scratch.ts'
import { sampleFailure, sampleResult } from '../ledger/made-results.ts'
import { madeFolder } from './made-folder.ts'

const { path } = scratchFolder()
let report: Report
const draws = 2000
const standing = (one: Report) => {
  const found = one.standings.at(-1)
  if (found === undefined) throw new Error('no standing')
  return found
}

beforeAll(async () => {
  report = await reportOf([await madeFolder(path('results'))], { draws })
})

describe('a report of one model', () => {
  test('has a row for each representation, states in their order, and a column for each task', () => {
    expect(report.rows.map(({ name }) => name)).toEqual(['h0', 'h1', 'h2', 'h10', 'default'])
    expect(report.tasks.map(({ name }) => name)).toEqual(['Both', 'Labels', 'Pairs', 'Rare'])
    expect(report.rows.find(({ name }) => name === 'h2')?.scores).toEqual([0.9, 0.9, 0.45, null])
  })

  test('counts of a task what every row has: by split and subset', () => {
    expect(report.tasks[0]).toMatchObject({ name: 'Both', parts: ['test en'], left: ['test de'] })
    expect(report.rows.find(({ name }) => name === 'h0')?.scores[0]).toBe(0.5)
  })

  test('takes means, ranks and Borda over the tasks that all have', () => {
    const { common, kind, rows } = standing(report)
    expect([kind, common]).toEqual(['representations', ['Both', 'Labels', 'Pairs']])
    const h2 = rows.find(({ name }) => name === 'h2')
    expect(h2?.mean).toBeCloseTo((0.9 + 0.9 + 0.45) / 3, 12)
    expect([h2?.meanRank, h2?.borda, h2?.completed]).toEqual([1, 1, 3])
    // default and h10 share the second place on every task
    expect(
      rows.filter(({ name }) => name === 'default' || name === 'h10').map(({ meanRank, borda }) => [meanRank, borda]),
    ).toEqual([
      [2.5, 2],
      [2.5, 2],
    ])
  })

  test('names what failed and what was not run, and counts it nowhere', () => {
    expect(report.missing).toEqual([
      { task: 'Rare', name: 'h1', code: null, reason: 'not run' },
      { task: 'Rare', name: 'h2', code: 'task.empty', reason: expect.stringContaining('no query left') },
    ])
    expect(report.coverage.map(({ completed, of }) => [completed, of])).toEqual([
      [5, 5],
      [5, 5],
      [5, 5],
      [3, 5],
    ])
  })

  test('holds every row against default: on a task by its items, over tasks by flipped signs, both after Holm', async () => {
    expect([report.held?.baseline, report.held?.chosen]).toEqual(['default', 'default'])
    const on = report.held?.onTasks ?? []
    const tested = on.filter(({ p }) => p !== null)
    expect(tested.map(({ name, task }) => [name, task])).toEqual(
      ['h0', 'h1', 'h2', 'h10'].map((name) => [name, 'Labels']),
    )
    expect(tested.map(({ pHolm }) => pHolm)).toEqual(holm(tested.map(({ p }) => p ?? 1)))
    expect(new Set(on.filter(({ p }) => p === null).map(({ why }) => why))).toEqual(
      new Set(['scores of single items are not stored']),
    )
    const place = (representation: string) => ({
      root: path('results'),
      model: 'org/model',
      revision: 'main',
      representation,
    })
    const scores = (score: number) => ({ test: [{ main_score: score, hf_subset: 'default', languages: [] }] })
    const sides = new Map([
      ['h2', { scores: scores(0.9), place: place('h2') }],
      ['default', { scores: scores(0.6), place: place('default') }],
    ])
    const [alone] = [...(await comparePairs('Labels', sides, [['h2', 'default']], { draws })).values()]
    expect(tested.find(({ name }) => name === 'h2')).toMatchObject({
      low: alone?.interval?.low,
      high: alone?.interval?.high,
      p: alone?.interval?.p,
    })
    const over = report.held?.overTasks.find(({ name }) => name === 'h2')
    expect([over?.wins, over?.losses, over?.ties, over?.tasks]).toEqual([3, 0, 0, 3])
    expect(over?.p).toBe(signFlip(on.filter(({ name }) => name === 'h2').map(({ difference }) => difference)))
    expect(report.held?.overTasks.map(({ pHolm }) => pHolm)).toEqual(
      holm(report.held?.overTasks.map(({ p }) => p) ?? []),
    )
  })
})

describe('rows that share no task, and scores of which less is better', () => {
  const places = { base: { good: 0.4, perplexity: [-8, -6] }, merge: { good: 0.6, perplexity: [-4, -2] } }
  const weights = [2, 3]
  const perplexity = (nats: readonly number[]) => Math.exp(-nats.reduce((a, b) => a + b, 0) / 5)
  let apart: Report

  beforeAll(async () => {
    const root = path('apart')
    for (const [model, { good, perplexity: nats }] of Object.entries(places)) {
      const part = (score: number) => ({ main_score: score, hf_subset: 'default', languages: [] })
      const strata = { model: `org/${model}`, revision: 'main', representation: 'logits' }
      await writeResult(root, sampleResult({ task_name: 'arc', scores: { test: [part(good)] }, strata }))
      const columns = ['split', 'subset', 'word_perplexity nats', 'word_perplexity weight'].map((name, i) => ({
        name,
        type: i < 2 ? ('text' as const) : ('number' as const),
      }))
      const rows = nats.map((own, i) => ({
        split: 'test',
        subset: 'default',
        'word_perplexity nats': own,
        'word_perplexity weight': weights[i] ?? 0,
      }))
      await writeResult(
        root,
        sampleResult({
          task_name: 'loss',
          scores: { test: [{ ...part(perplexity(nats)), higher_is_better: false }] },
          strata,
        }),
        {
          items: { columns, rows },
        },
      )
      for (const h of [0, 1])
        await writeResult(
          root,
          sampleResult({
            task_name: 'probe',
            scores: { test: [part(0.5 + h / 10)] },
            strata: { ...strata, representation: `h${h}` },
          }),
        )
    }
    apart = await reportOf([root], { baseline: 'org/base logits', draws: 400 })
  })

  test('are in standings of their own, each over its own tasks, and are not missing elsewhere', () => {
    const wholes = apart.standings.filter(({ whole }) => whole)
    expect(wholes.map(({ tasks, common, rows }) => [tasks, common, rows.length])).toEqual([
      [['probe'], ['probe'], 4],
      [['arc', 'loss'], ['arc'], 2],
    ])
    expect(apart.missing).toEqual([])
    expect(apart.coverage.map(({ task, of }) => [task, of])).toEqual([
      ['arc', 2],
      ['loss', 2],
      ['probe', 4],
    ])
  })

  test('a perplexity is in no mean, and the lower one is ahead', () => {
    const logits = apart.standings.find(({ tasks }) => tasks.includes('loss'))
    expect(logits?.rows.map(({ name, mean, meanRank, completed }) => [name, mean, meanRank, completed])).toEqual([
      ['org/base logits', 0.4, 2, 2],
      ['org/merge logits', 0.6, 1, 2],
    ])
    expect(apart.held?.overTasks.map(({ tasks, difference }) => [tasks, difference.toFixed(6)])).toEqual([
      [1, '0.200000'],
    ])
    const loss = apart.held?.onTasks.find(({ task }) => task === 'loss')
    // scores in files have six decimals
    expect([loss?.ahead, loss?.difference.toFixed(4)]).toEqual([
      true,
      (perplexity([-4, -2]) - perplexity([-8, -6])).toFixed(4),
    ])
    // on every resample of two documents the better model's is the lower
    expect([loss?.high ?? 1, loss?.low ?? 1].every((bound) => bound < 0)).toBe(true)
    const [table] = tablesOf(apart).filter(({ columns }) => columns.some(({ title }) => title === 'loss'))
    const at = table?.columns.findIndex(({ title }) => title === 'loss') ?? -1
    expect(table?.rows.map((row) => [row[at]?.text.replace(/ .*/, ''), row[at]?.best])).toEqual([
      [perplexity([-8, -6]).toPrecision(5), false],
      [perplexity([-4, -2]).toPrecision(5), true],
    ])
  })
})

describe('a baseline', () => {
  test('is a representation of each model, or one row for all', async () => {
    expect((await reportOf([path('results')], { draws, baseline: 'h1' })).held).toMatchObject({
      baseline: 'h1',
      chosen: 'asked',
    })
    const one = await reportOf([path('results')], { draws, baseline: 'org/model#h2' })
    expect(new Set(one.held?.overTasks.map(({ against }) => against))).toEqual(new Set(['h2']))
  })

  test('that is not there is refused, with the nearest name', async () => {
    await expect(reportOf([path('results')], { baseline: 'defalt' })).rejects.toThrow(
      expect.objectContaining({
        code: 'usage.value',
        message: expect.stringContaining('--baseline'),
        parts: expect.objectContaining({ hint: 'did you mean default?' }),
      }),
    )
  })

  test('is the best mean where nothing is a default', async () => {
    const layers = await reportOf([path('results')], { draws, representations: ['h0', 'h1', 'h2'] })
    expect(layers.held).toMatchObject({ baseline: 'h2', chosen: 'best' })
  })
})

test('a failure next to an older score, in one folder, is no second result', async () => {
  const root = path('mended')
  const strata = { representation: 'default', model: 'org/model', revision: 'main' }
  const scores = { test: [{ main_score: 0.5, hf_subset: 'default', languages: ['eng-Latn'] }] }
  await writeResult(root, sampleResult({ task_name: 'Labels', scores, strata }))
  await writeResult(root, { ...sampleFailure(strata), task_name: 'Labels' })
  const { twice, missing, rows } = await reportOf([root])
  expect([twice, missing, rows[0]?.scores]).toEqual([0, [], [0.5]])
})

test('several models: by their own default, then all rows; the first folder counts', async () => {
  const root = path('models')
  const write = (folder: string, model: string, representation: string, score: number) =>
    writeResult(
      folder,
      sampleResult({
        task_name: 'T',
        scores: { test: [{ main_score: score, hf_subset: 'default', languages: [] }] },
        strata: { model, representation, revision: 'main' },
      }),
    )
  await write(root, 'a/a', 'default', 0.5)
  await write(root, 'b/b', 'default', 0.6)
  await write(root, 'b/b', 'h3', 0.7)
  await write(path('again/results'), 'a/a', 'default', 0.9)
  // an experiment's folder holds its results below it
  const both = await reportOf([root, path('again')])
  expect(both.standings.map(({ kind, rows }) => [kind, rows.map(({ name }) => name)])).toEqual([
    ['models', ['a/a default', 'b/b default']],
    ['representations', ['a/a default', 'b/b h3', 'b/b default']],
  ])
  expect([both.twice, both.rows.find(({ model }) => model === 'a/a')?.scores]).toEqual([1, [0.5]])
})

describe('scores that were written down elsewhere', () => {
  const rows = (scores: Readonly<Record<string, readonly number[]>>) =>
    Object.entries(scores).flatMap(([layer, own]) =>
      own.map((score, i) => ({ checkpoint: 'main', layer, task: ['One', 'Two'][i] ?? '', score })),
    )
  const recorded = [{ model: 'org/a', rows: rows({ default: [0.2, 0.8], h1: [0.4, 0.2] }) }]

  test('have no seconds, and one default is no comparison of models', async () => {
    const found = await reportOf([], { recorded })
    expect(found.standings.map(({ kind, rows: own }) => [kind, own.length])).toEqual([['representations', 2]])
    expect(found.rows.map(({ name, seconds }) => [name, seconds])).toEqual([
      ['h1', null],
      ['default', null],
    ])
  })

  test('have a mean of types where every type is known, and there are several', async () => {
    const means = async (types: Readonly<Record<string, string>>): Promise<unknown[]> =>
      (await reportOf([], { recorded, typeOf: (task) => types[task] ?? '' })).standings[0]?.rows.map(
        ({ meanType }) => meanType && Number(meanType.toFixed(12)),
      ) ?? []
    expect(await means({ One: 'STS', Two: 'Retrieval' })).toEqual([0.3, 0.5])
    expect(await means({ One: 'STS' })).toEqual([null, null])
    expect(await means({ One: 'STS', Two: 'STS' })).toEqual([null, null])
  })
})

test('a result that came after a failure, and lacks the part that counts, did not fail', async () => {
  const write = (folder: string, representation: string, subset: string) =>
    writeResult(
      path(folder),
      sampleResult({
        task_name: 'T',
        scores: { test: [{ main_score: 0.5, hf_subset: subset, languages: [] }] },
        strata: { model: 'a/a', representation, revision: 'main' },
      }),
    )
  await writeResult(path('failed-first'), {
    ...sampleFailure({ model: 'a/a', representation: 'h3', revision: 'main' }),
    task_name: 'T',
  })
  await write('failed-first', 'h1', 'en')
  await write('failed-first', 'h2', 'en')
  await write('then-done', 'h3', 'fr')
  const found = await reportOf([path('failed-first'), path('then-done')])
  expect(found.missing).toEqual([{ task: 'T', name: 'h3', code: null, reason: 'only test fr' }])
})

test('a row that has some of the parts that count has no score, and says which it has', async () => {
  const parts = { h1: ['en', 'de'], h2: ['en', 'fr'], h3: ['de', 'fr'] }
  for (const [representation, subsets] of Object.entries(parts))
    await writeResult(
      path('partly'),
      sampleResult({
        task_name: 'T',
        scores: { test: subsets.map((subset, i) => ({ main_score: i / 2, hf_subset: subset, languages: [] })) },
        strata: { model: 'a/a', representation, revision: 'main' },
      }),
    )
  // each of the three parts has two rows, and no row has all of them
  const found = await reportOf([path('partly')])
  expect(found.rows.map(({ scores }) => scores)).toEqual([[null], [null], [null]])
  expect(found.missing.map(({ name, reason }) => [name, reason])).toEqual([
    ['h1', 'only test en, test de'],
    ['h2', 'only test en, test fr'],
    ['h3', 'only test de, test fr'],
  ])
})

test('a folder that is not there, or holds nothing that is asked for, is refused', async () => {
  await expect(reportOf([path('nowhere')])).rejects.toThrow(expect.objectContaining({ code: 'file.missing' }))
  mkdirSync(path('empty'), { recursive: true })
  await expect(reportOf([path('empty')])).rejects.toThrow(expect.objectContaining({ code: 'file.missing' }))
})

test('probes are grouped by the linguistic subfield that their results name, with the mean of the subfields', async () => {
  const places = { 'blimp-a': 'morphology', 'blimp-b': 'syntax', 'blimp-c': 'syntax' }
  for (const representation of ['h1', 'h2'])
    for (const [at, [task, subfield]] of Object.entries(places).entries())
      await writeResult(
        path('probes'),
        sampleResult({
          task_name: task,
          scores: { test: [{ main_score: (at + 1) / 8, hf_subset: 'default', languages: [], subfield }] },
          strata: { model: 'a/a', representation, revision: 'main' },
        }),
      )
  const { tasks, standings } = await reportOf([path('probes')])
  expect(tasks.map(({ name, type }) => [name, type])).toEqual(Object.entries(places))
  // (1 / 8 + (2 / 8 + 3 / 8) / 2) / 2
  expect(standings[0]?.rows.map(({ mean, meanType }) => [mean, meanType])).toEqual([
    [0.25, 0.21875],
    [0.25, 0.21875],
  ])
})
