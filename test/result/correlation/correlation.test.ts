import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  correlate,
  groupMeans,
  rankingTables,
  readHarnessFolder,
  readHolmes,
  readLedgerScores,
  regrouped,
  type ScoreTable,
  winningRates,
} from '#result/correlation'
import { importResults, listResults } from '#result/ledger'
import { reportOf } from '#result/report'
import { shared, sharedPath } from '../../shared.ts'
import { recordedHarness, recordedHolmes, recordedModels } from './recorded-merges.ts'

const competencies = ['discourse', 'morphology', 'reasoning', 'semantics', 'syntax']

function column(table: ScoreTable, model: string): number[] {
  const at = table.models.indexOf(model)
  return competencies.map((name) => 100 * (groupMeans(table).find(({ group }) => group === name)?.values[at] ?? NaN))
}

/** Figures of the specification, to its digits. */
describe.skipIf(shared === undefined)('the public leaderboards', () => {
  const full = sharedPath('data/reference/holmes.csv.gz')
  test('57 models and 208 probes, of which one has a blank', async () => {
    const table = await readHolmes(full)
    expect([table.models.length, table.rows.length]).toEqual([57, 208])
    expect(winningRates(table).dropped).toHaveLength(1)
  })
  test.each<[string, number[]]>([
    ['EleutherAI/pythia-70m', [18.26, 33.4, 39.61, 30.93, 31.11]],
    ['EleutherAI/pythia-160m', [18.96, 33.43, 41.56, 29.93, 31.46]],
    ['EleutherAI/pythia-410m', [30.5, 83.02, 60.21, 53.44, 86.38]],
    ['EleutherAI/pythia-1b', [32.72, 88.89, 64.08, 51.91, 89.06]],
    ['bert-base-uncased', [38.69, 87.02, 65.38, 59.02, 88.12]],
    ['gpt2', [31.22, 78, 59.76, 56.58, 86.59]],
    ['roberta-base', [40.02, 87.1, 63.47, 61.01, 88.12]],
  ])('means of competencies of %s', async (model, means) => {
    expect(column(await readHolmes(full), model).map((value) => value.toFixed(2))).toEqual(
      means.map((value) => value.toFixed(2)),
    )
  })

  test.each<[string, number[], number]>([
    ['EleutherAI/pythia-70m', [11.5, 1.3, 1.6, 26.2, 10.7, 10.6], 0.3031],
    ['EleutherAI/pythia-70m-deduped', [10.4, 1.2, 0.9, 22.1, 9.4, 15.1], 0.2937],
    ['EleutherAI/pythia-160m', [12.4, 1.2, 1.5, 25, 13.1, 18.5], 0.3039],
    ['EleutherAI/pythia-160m-deduped', [13.4, 1.4, 2.9, 26.2, 14.4, 18.2], 0.321],
    ['EleutherAI/pythia-410m', [37.3, 20.6, 42.1, 40.9, 29.5, 32.3], 0.6555],
    ['EleutherAI/pythia-410m-deduped', [33.3, 15.1, 37.6, 39.4, 25.5, 24.4], 0.6304],
    ['EleutherAI/pythia-1b', [52.3, 43.8, 61, 50.1, 40.4, 48], 0.6721],
    ['gpt2', [40.2, 14.8, 41.3, 50.1, 32.7, 36.1], 0.6623],
    ['bert-base-uncased', [47.9, 38.9, 38.8, 56, 47.2, 60.2], 0.6991],
    ['roberta-base', [47.1, 34.2, 35.3, 59.9, 44.1, 59.3], 0.7057],
    ['albert-base-v2', [53.5, 42.8, 50.6, 57.3, 50.9, 61.4], 0.7058],
    ['microsoft/deberta-v3-base', [57.2, 89.1, 50.7, 52.4, 60.4, 62.8], 0.7171],
  ])('winning rates and mean of %s', async (model, wanted, mean) => {
    const table = await readHolmes(full)
    const rates = winningRates(table)
    const at = table.models.indexOf(model)
    const own = [
      rates.all,
      ...['morphology', 'syntax', 'semantics', 'reasoning', 'discourse'].map((name) => rates.groups[name] ?? []),
    ]
    expect(own.map((values) => (100 * (values[at] ?? NaN)).toFixed(1))).toEqual(wanted.map((value) => value.toFixed(1)))
    const scores = table.rows.flatMap(({ values }) => values[at] ?? [])
    expect((scores.reduce((sum, score) => sum + score, 0) / scores.length).toFixed(4)).toBe(mean.toFixed(4))
  })

  test.each<[number, number[]]>([
    [1 / 32, [32.18, 58.61, 48.38, 44.4, 73.59]],
    [1 / 2, [35.07, 76.84, 62.85, 55.35, 84.04]],
  ])('Flash-Holmes of pythia-410m at portion %d', async (portion, means) => {
    const flash = await readHolmes(sharedPath('data/reference/flash-holmes.csv.gz'), { portion })
    expect(column(flash, 'EleutherAI/pythia-410m').map((value) => value.toFixed(2))).toEqual(
      means.map((value) => value.toFixed(2)),
    )
  })
})

const table = (models: string[], rows: [string, string, (number | null)[]][]): ScoreTable => ({
  models,
  rows: rows.map(([name, group, values]) => ({ name, group, values })),
  notices: [],
})

test('only models of both count; the legacy ranking is inflated by those that both lack', () => {
  const models = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
  const x = table(models, [['p', 'syntax', [1, 2, 3, 4, null, null, null]]])
  const y = table(models, [['t', 'bbh', [2, 1, 4, 3, null, null, null]]])
  const [cell] = correlate(x, y).cells
  // 4 of 6 pairs agree; with three more that share the last rank 16 of 18
  expect(cell).toMatchObject({ x: 'syntax', y: 'bbh', pairs: 1, skipped: 0, ofMeans: { count: 4 } })
  expect(cell?.meanOfPairs).toBeCloseTo(2 / 6, 14)
  expect(cell?.legacy).toBeCloseTo(14 / 18, 14)
  expect(correlate(x, y, { minimum: 5 }).cells).toEqual([
    { x: 'syntax', y: 'bbh', meanOfPairs: null, pairs: 0, skipped: 1, ofMeans: undefined, legacy: cell?.legacy },
  ])
  expect(() => correlate(table(['z'], []), y)).toThrow('too few models')
})

test('the legacy ranking puts who has no score behind all on that side, and is Kendall’s whatever is asked', () => {
  const x = table(['a', 'b', 'c', 'd'], [['p', 'syntax', [1, 2, 3, 4]]])
  const y = table(['a', 'b', 'c', 'd', 'e'], [['t', 'bbh', [1, 2, 3, 4, 5]]])
  // by rank d c b a e against e d c b a: the six pairs of the four agree, those of e do not
  for (const method of ['kendall', 'spearman'] as const)
    expect(correlate(x, y, { method }).cells[0]?.legacy).toBeCloseTo((6 - 4) / 10, 14)
  // equal scores in the order of the models: a c b d against a b c d, 5 of 6 pairs
  const ties = table(['a', 'b', 'c', 'd'], [['q', 'syntax', [4, 3, 3, 2]]])
  const other = table(['a', 'b', 'c', 'd'], [['u', 'bbh', [4, 2, 3, 1]]])
  expect(correlate(ties, other).cells[0]?.legacy).toBeCloseTo((5 - 1) / 6, 14)
})

test('equal scores win as much as the last of them, and a constant row nothing', () => {
  // ranks 1 3 3 and 2 2 3, scaled: 0 1 1 and 0 0 1; the constant row 0 0 0
  const rates = winningRates(
    table(
      ['a', 'b', 'c'],
      [
        ['p', 'g', [1, 2, 2]],
        ['q', 'h', [1, 1, 2]],
        ['s', 'h', [5, 5, 5]],
      ],
    ),
  )
  expect(rates.groups).toEqual({ g: [0, 1, 1], h: [0, 0, 0.5] })
  expect(rates.all.map((rate) => rate.toFixed(12))).toEqual([0, 1 / 3, 2 / 3].map((rate) => rate.toFixed(12)))
})

test('of several training portions the largest counts, unless one is named', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'strata-holmes-'))
  onTestFinished(async () => rm(folder, { recursive: true }))
  const lines = [
    'probing dataset,linguistic subfield,train portion,org__a',
    'pos,morphology,0.5,0.6',
    'pos,morphology,1,0.8',
    'pos,morphology,0.03125,0.2',
    'odd,,1,0.1',
  ]
  await writeFile(join(folder, 'holmes.csv'), lines.join('\n'))
  expect(await readHolmes(join(folder, 'holmes.csv'))).toEqual({
    models: ['org/a'],
    rows: [{ name: 'pos', group: 'morphology', values: [0.8] }],
    notices: ['probes without a competency, left out: odd', 'training portion 1 of 0.03125, 0.5, 1'],
  })
  expect((await readHolmes(join(folder, 'holmes.csv'), { portion: 0.5 })).rows[0]?.values).toEqual([0.6])
  await expect(readHolmes(join(folder, 'holmes.csv'), { portion: 0.25 })).rejects.toMatchObject({ code: 'table.empty' })
})

test('a row that orders models as the whole does discriminates, one that turns them round does the opposite, a constant one says nothing', () => {
  const rates = winningRates(
    table(
      ['a', 'b', 'c'],
      [
        ['p', 'g', [1, 2, 3]],
        ['q', 'g', [10, 20, 30]],
        ['r', 'h', [0.3, 0.2, 0.1]],
        ['s', 'h', [5, 5, 5]],
        ['t', 'h', [1, null, 2]],
      ],
    ),
  )
  expect(rates.dropped).toEqual(['t'])
  expect(rates.discriminability).toEqual([
    { name: 'p', tau: 1 },
    { name: 'q', tau: 1 },
    { name: 'r', tau: -1 },
    { name: 's', tau: NaN },
  ])
})

test('six tables of ranks: equal scores share theirs, who has none has no rank', () => {
  const probes = table(
    ['a', 'b', 'c', 'd'],
    [
      ['p', 'syntax', [0.9, 0.5, 0.5, null]],
      ['q', 'syntax', [0.1, 0.2, 0.3, 0.4]],
    ],
  )
  const tasks = table(['a', 'b', 'c'], [['t', 'bbh', [0.3, 0.2, 0.1]]])
  const options = { minimum: 3 }
  const overall = correlate(
    regrouped(probes, () => 'all'),
    regrouped(tasks, ({ name }) => name),
    options,
  )
  const files = rankingTables({ probes, tasks, byGroup: correlate(probes, tasks, options), overall })
  const lines = (name: string): string[] => files.get(`${name}.csv`)?.trimEnd().split('\r\n') ?? []
  expect([...files.keys()]).toHaveLength(6)
  expect(lines('holmes_subtask_rankings_by_ling_competency')).toEqual([
    'competency,name,a,b,c,d',
    'syntax,p,1,2.5,2.5,',
    'syntax,q,4,3,2,1',
  ])
  expect(lines('holmes_main_task_rankings')).toEqual([
    'model,syntax,syntax_rank',
    'a,0.5,1',
    'b,0.35,4',
    'c,0.4,2.5',
    'd,0.4,2.5',
  ])
  expect(lines('harness_main_rankings')[1]).toBe('a,0.3,1')
  expect(lines('correlation_holmes_ling_competencies_vs_harness_groups')[1]).toMatch(/^syntax,bbh,3,/)
  expect(lines('correlation_holmes_main_vs_harness_all')[1]).toMatch(/^all,t,3,/)
})

test('of a harness folder the newest by the name counts, groups are the smallest, IFEval is there', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'strata-harness-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await mkdir(join(folder, 'org__m'))
  const write = (date: string, navigate: number): Promise<void> =>
    writeFile(
      join(folder, 'org__m', `results_${date}.json`),
      JSON.stringify({
        model_name: 'org/m',
        results: {
          leaderboard: { alias: 'leaderboard' },
          leaderboard_bbh_navigate: { 'acc,none': 0.1, 'acc_norm,none': navigate },
          leaderboard_ifeval: { 'prompt_level_strict_acc,none': 0.25, 'inst_level_strict_acc,none': 0.75 },
          odd: { 'wer,none': 3 },
        },
        group_subtasks: {
          leaderboard: ['leaderboard_bbh', 'leaderboard_ifeval'],
          leaderboard_bbh: ['leaderboard_bbh_navigate'],
          leaderboard_ifeval: [],
        },
      }),
    )
  await write('2026-02-01T00-00-00.000000', 0.6)
  await write('2026-01-01T00-00-00.000000', 0.5)
  const found = await readHarnessFolder(folder)
  expect(found).toMatchObject({
    models: ['org/m'],
    rows: [
      { name: 'bbh_navigate', group: 'bbh', values: [0.6] },
      { name: 'ifeval', group: 'ifeval', values: [0.5] },
    ],
  })
  expect(found.notices.filter((notice) => notice.includes('is newer'))).toHaveLength(2)
  expect(found.notices.filter((notice) => /odd of .*no known score/.test(notice))).toHaveLength(2)
  const imported = await importResults(join(folder, 'ledger'), folder)
  expect(
    imported.map(({ task, model, representation, state, reason }) => [
      task,
      model,
      representation,
      state,
      reason.includes('newer'),
    ]),
  ).toEqual([
    ['leaderboard_bbh_navigate', 'org/m', 'logits', 'imported', false],
    ['leaderboard_ifeval', 'org/m', 'logits', 'imported', false],
    ['odd', 'org/m', 'logits', 'failed', false],
    ['leaderboard_bbh_navigate', 'org/m', 'logits', 'failed', true],
    ['leaderboard_ifeval', 'org/m', 'logits', 'failed', true],
    ['odd', 'org/m', 'logits', 'failed', false],
  ])
  const [first] = await listResults(join(folder, 'ledger'))
  expect(first?.result?.scores?.['test']?.[0]).toMatchObject({ main_score: 0.6, 'acc,none': 0.1, 'acc_norm,none': 0.6 })
})

test('results of this program: one representation at a time, its tasks by their first word', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'strata-correlation-'))
  onTestFinished(async () => rm(folder, { recursive: true }))
  const write = async (
    model: string,
    representation: string,
    task: string,
    score: number | null,
    more: object = {},
  ): Promise<void> => {
    const place = join(folder, model, 'abc', 'experiments', representation)
    await mkdir(place, { recursive: true })
    const part = { main_score: score, hf_subset: 'default', languages: [], ...more }
    const strata = {
      status: 'ok',
      model,
      revision: 'abc',
      representation,
      profile: 'p',
      settings: {},
      fingerprint: 'f',
      version: '0',
      seconds: 1,
    }
    await writeFile(
      join(place, `${task}.json`),
      JSON.stringify({ task_name: task, mteb_version: null, scores: { test: [part] }, strata }),
    )
  }
  for (const [i, model] of ['a', 'b', 'c', 'd'].entries()) {
    await write(model, 'logits', 'blimp_one', 0.5 + i / 10)
    await write(model, 'h6', 'zorro-one', [0.2, 0.1, 0.3, 0.4][i] ?? null)
    if (i > 0) await write(model, 'logits', 'gsm8k', i / 10)
    await write(model, 'logits', 'wikitext', 10 + i, { higher_is_better: false })
  }
  const [x, y] = [await readLedgerScores(folder, 'logits'), await readLedgerScores(folder, 'h6')]
  expect(x.rows).toEqual([
    { name: 'blimp_one', group: 'blimp', values: [0.5, 0.6, 0.7, 0.8] },
    // a perplexity: less is better
    { name: 'wikitext', group: 'wikitext', values: [-10, -11, -12, -13] },
    { name: 'gsm8k', group: 'gsm8k', values: [null, 0.1, 0.2, 0.3] },
  ])
  // one of six pairs of models stands the other way
  expect(
    correlate(x, y, { method: 'kendall', minimum: 4 }).cells.find((cell) => cell.x === 'blimp' && cell.y === 'zorro')
      ?.ofMeans,
  ).toMatchObject({
    count: 4,
    value: expect.closeTo((5 - 1) / 6, 14),
  })
  await expect(readLedgerScores(folder, 'logit')).rejects.toMatchObject({
    code: 'usage.value',
    hint: expect.stringContaining('logits'),
  })
  await expect(readLedgerScores(join(folder, 'nothing'), 'logits')).rejects.toMatchObject({ code: 'result.invalid' })
})

test('recorded tables of merges: every cell through import and report, and the rank correlation of the two', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'strata-recorded-'))
  onTestFinished(async () => rm(folder, { recursive: true }))
  for (const [i, model] of recordedModels.entries()) {
    await mkdir(join(folder, 'harness', model), { recursive: true })
    const results = Object.fromEntries(
      Object.entries(recordedHarness).map(([group, values]) => [
        `leaderboard_${group}`,
        { 'acc_norm,none': (values[i] ?? NaN) / 100 },
      ]),
    )
    await writeFile(
      join(folder, 'harness', model, 'results_2025-01-01T00-00-00.000000.json'),
      JSON.stringify({ model_name: `org/${model}`, results, group_subtasks: {} }),
    )
  }
  const head = [
    '',
    'probing dataset',
    'linguistic subfield',
    'train portion',
    ...recordedModels.map((model) => `org/${model}`),
  ]
  const lines = Object.entries(recordedHolmes).map(([name, values], i) => [
    i,
    name,
    name,
    1,
    ...values.map((value) => value / 100),
  ])
  await writeFile(join(folder, 'holmes.csv'), [head, ...lines].map((line) => line.join(',')).join('\n'))
  const ledger = join(folder, 'ledger')
  const states = [
    ...(await importResults(ledger, join(folder, 'harness'))),
    ...(await importResults(ledger, join(folder, 'holmes.csv'))),
  ].map(({ state }) => state)
  expect(states).toEqual(Array.from({ length: 2 * 13 * 5 }, () => 'imported'))
  const report = await reportOf([ledger])
  const cells = report.rows.flatMap(({ model, scores }) =>
    report.tasks.flatMap(({ name }, at) => (scores[at] == null ? [] : [[model, name, (100 * scores[at]).toFixed(3)]])),
  )
  const wanted = recordedModels.flatMap((model, i) => [
    ...Object.entries(recordedHarness).map(([group, values]) => [
      `org/${model}`,
      `leaderboard_${group}`,
      (values[i] ?? NaN).toFixed(3),
    ]),
    ...Object.entries(recordedHolmes).map(([name, values]) => [`org/${model}`, name, (values[i] ?? NaN).toFixed(3)]),
  ])
  const byName = (cell: readonly string[], other: readonly string[]): number =>
    cell.join(' ') < other.join(' ') ? -1 : 1
  expect(cells.toSorted(byName)).toEqual(wanted.toSorted(byName))
  // the merges of the tables: probes of syntax and the harness disagree
  const found = correlate(
    await readHarnessFolder(join(folder, 'harness')),
    await readHolmes(join(folder, 'holmes.csv')),
  )
  const cell = found.cells.find((own) => own.x === 'bbh' && own.y === 'syntax')
  expect([cell?.ofMeans?.count, (cell?.ofMeans?.p ?? 0) > 0.05]).toEqual([13, true])
})

test('what one evaluation of Holmes wrote: means over seeds, controls apart', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'strata-holmes-'))
  onTestFinished(async () => rm(folder, { recursive: true }))
  const head = ',probing_dataset,model_name,encoding,control_task_type,sample_size,seed,num_hidden_layers,score'
  const lines = [
    '0,pos,org__m,full,NONE,10,0,0,0.5',
    '1,pos,org__m,full,NONE,10,1,0,0.7',
    '2,pos,org__m,full,PERMUTATION,10,0,0,0.1',
    '3,pos,org__m,full,NONE,10,0,1,0.9',
  ]
  await writeFile(join(folder, 'results_flash-holmes.csv'), [head, ...lines].join('\n'))
  const imported = await importResults(join(folder, 'ledger'), join(folder, 'results_flash-holmes.csv'))
  expect(imported.map(({ task, model, representation }) => [task, model, representation])).toEqual([
    ['pos', 'org/m', 'last'],
    ['pos', 'org/m', 'last+permutation'],
    ['pos', 'org/m', 'last+mlp'],
  ])
  const listed = await listResults(join(folder, 'ledger'))
  expect(listed.find(({ representation }) => representation === 'last')?.result?.scores?.['test']?.[0]).toMatchObject({
    main_score: 0.6,
    seeds: 2,
  })
  await expect(importResults(join(folder, 'ledger'), join(folder, 'nothing.csv'))).rejects.toMatchObject({
    code: 'file.missing',
  })
  await writeFile(join(folder, 'other.csv'), 'a,b\n1,2\n')
  await expect(importResults(join(folder, 'ledger'), join(folder, 'other.csv'))).rejects.toMatchObject({
    code: 'table.column',
  })
})
