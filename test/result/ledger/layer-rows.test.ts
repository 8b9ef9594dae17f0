/** Scores of layers as "Layer by Layer" publishes them, into the ledger. */
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { importResults, listResults } from '#result/ledger'
import { scratchFolder } from '../../scratch.ts'
import { shared, sharedPath } from '../../shared.ts'

const { path, file } = scratchFolder()
const row = (more: object = {}): object => ({
  family: 'Pythia',
  size: '14m',
  revision: 'step8',
  layer: 3,
  task: 'STS17',
  split: 'test',
  main_score: { 'en-en': 0.5 },
  mteb_version: '1.14.19',
  ...more,
})
const lines = (name: string, rows: readonly unknown[]): string =>
  file(name, rows.map((one) => `${JSON.stringify(one)}\n`).join(''))

test('a result a model, revision, layer and task, with every split and subset', async () => {
  const source = lines('scores.jsonl', [
    row({ main_score: { 'en-en': 0.5, 'en-de': 0.25 } }),
    row({ split: 'validation', main_score: { 'en-en': 0.75 } }),
    row({ layer: 0, main_score: { 'en-en': -0.125 } }),
    row({
      family: 'mamba',
      size: '130m',
      revision: 'main',
      task: 'Banking77Classification',
      main_score: { default: 0.375 },
    }),
  ])
  const imported = await importResults(path('ledger'), source, { languages: (task, subset) => [`${task} ${subset}`] })
  expect(imported.map(({ state }) => state)).toEqual(['imported', 'imported', 'imported'])
  const listed = await listResults(path('ledger'), { status: 'ok' })
  const nameOf = ({ model, representation }: (typeof listed)[number]): string => `${model} ${representation}`
  const found = [...listed]
    .sort((a, b) => nameOf(a).localeCompare(nameOf(b)))
    .map(({ model, revision, representation, task, result }) => [
      model,
      revision,
      representation,
      task,
      result?.mteb_version,
      result?.scores,
    ])
  const score = (subset: string, main: number, task = 'STS17'): object => ({
    hf_subset: subset,
    main_score: main,
    languages: [`${task} ${subset}`],
  })
  expect(found).toEqual([
    [
      'mamba-130m',
      'main',
      'h3',
      'Banking77Classification',
      '1.14.19',
      { test: [score('default', 0.375, 'Banking77Classification')] },
    ],
    ['Pythia-14m', 'step8', 'h0', 'STS17', '1.14.19', { test: [score('en-en', -0.125)] }],
    [
      'Pythia-14m',
      'step8',
      'h3',
      'STS17',
      '1.14.19',
      { test: [score('en-en', 0.5), score('en-de', 0.25)], validation: [score('en-en', 0.75)] },
    ],
  ])
  const again = await importResults(path('ledger'), source)
  expect(again.map(({ state }) => state)).toEqual(['there already', 'there already', 'there already'])
})

test.each([
  ['a file of something else', [{ model: 'x', score: 1 }], /not scores of layers.*family/],
  ['a layer that is none', [row(), row({ task: 'SICK-R', layer: -1 })], /line 2: not a score of a layer/],
  ['a score that is none', [row({ main_score: { 'en-en': 'high' } })], /line 1: not a score/],
  ['no score', [row({ main_score: {} }), row({ layer: 4 })], /line 1: not a score/],
  ['a line twice', [row(), row({ layer: 4 }), row()], /line 3: the same task, layer and split came before/],
])('%s is refused, and nothing is imported', async (name, rows, words) => {
  const into = path(`none-${name.length}-${rows.length}`)
  await expect(importResults(into, lines('wrong.jsonl', rows))).rejects.toThrow(words)
  expect(await listResults(into).catch(() => [])).toEqual([])
})

test.skipIf(!shared)('the published scores: h19 of step64000 as they have it', async () => {
  const source = sharedPath('data/reference/layer_by_layer_mteb.jsonl.gz')
  const all = gunzipSync(readFileSync(source)).toString('utf8').trim().split('\n')
  const own = all.filter(
    (line) => line.includes('"size":"410m"') && line.includes('"step64000"') && line.includes('"layer":19,'),
  )
  const imported = await importResults(path('published'), file('own.jsonl', `${own.join('\n')}\n`))
  expect(new Set(imported.map(({ representation, revision }) => `${representation} ${revision}`))).toEqual(
    new Set(['h19 step64000']),
  )
  const listed = await listResults(path('published'), { status: 'ok' })
  const known = own.map(
    (line) => JSON.parse(line) as { task: string; split: string; main_score: Record<string, number> },
  )
  for (const { task, split, main_score: scores } of known) {
    const result = listed.find((one) => one.task === task)?.result
    expect(Object.fromEntries(result?.scores?.[split]?.map((one) => [one.hf_subset, one.main_score]) ?? [])).toEqual(
      scores,
    )
  }
  expect(new Set(known.map(({ task }) => task)).size).toBe(listed.length)
})
