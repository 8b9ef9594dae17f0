import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { correlate, groupMeans, readHarnessFolder, readHolmes, readLedgerScores, type ScoreTable, winningRates } from '#result/correlation'
import { importResults, listResults } from '#result/ledger'
import { shared, sharedPath } from '../../shared.ts'

const competencies = ['discourse', 'morphology', 'reasoning', 'semantics', 'syntax']

function column(table: ScoreTable, model: string): number[] {
  const at = table.models.indexOf(model)
  return competencies.map((name) => 100 * (groupMeans(table).find(({ group }) => group === name)?.values[at] ?? NaN))
}

/** Figures of the specification, to its digits. */
describe.skipIf(shared === undefined)('the public leaderboards', () => {
  const full = sharedPath('data/reference/holmes.csv.gz')
  test('means of competencies, and winning rates of 57 models', async () => {
    const table = await readHolmes(full)
    expect([table.models.length, table.rows.length]).toEqual([57, 208])
    expect(column(table, 'EleutherAI/pythia-70m').map((value) => value.toFixed(2))).toEqual(['18.26', '33.40', '39.61', '30.93', '31.11'])
    expect(column(table, 'roberta-base').map((value) => value.toFixed(2))).toEqual(['40.02', '87.10', '63.47', '61.01', '88.12'])
    const rates = winningRates(table)
    const rate = (model: string): string[] =>
      [rates.all, ...['morphology', 'syntax', 'semantics', 'reasoning', 'discourse'].map((name) => rates.groups[name] ?? [])].map((values) =>
        (100 * (values[table.models.indexOf(model)] ?? NaN)).toFixed(1),
      )
    expect(rates.dropped).toHaveLength(1)
    expect(rate('EleutherAI/pythia-410m')).toEqual(['37.3', '20.6', '42.1', '40.9', '29.5', '32.3'])
    expect(rate('bert-base-uncased')).toEqual(['47.9', '38.9', '38.8', '56.0', '47.2', '60.2'])
  })
  test('a training portion of Flash-Holmes', async () => {
    const table = await readHolmes(sharedPath('data/reference/flash-holmes.csv.gz'), { portion: 1 / 32 })
    expect(column(table, 'EleutherAI/pythia-410m').map((value) => value.toFixed(2))).toEqual(['32.18', '58.61', '48.38', '44.40', '73.59'])
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
        group_subtasks: { leaderboard: ['leaderboard_bbh', 'leaderboard_ifeval'], leaderboard_bbh: ['leaderboard_bbh_navigate'], leaderboard_ifeval: [] },
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
  expect(found.notices.filter((notice) => /odd of .*no score/.test(notice))).toHaveLength(2)
  const imported = await importResults(join(folder, 'ledger'), folder)
  expect(imported.map(({ task, model, representation, state, reason }) => [task, model, representation, state, reason.includes('newer')])).toEqual([
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
  const write = async (model: string, representation: string, task: string, score: number | null): Promise<void> => {
    const place = join(folder, model, 'abc', 'experiments', representation)
    await mkdir(place, { recursive: true })
    const part = { main_score: score, hf_subset: 'default', languages: [] }
    const strata = { status: 'ok', model, revision: 'abc', representation, profile: 'p', settings: {}, fingerprint: 'f', version: '0', seconds: 1 }
    await writeFile(join(place, `${task}.json`), JSON.stringify({ task_name: task, mteb_version: null, scores: { test: [part] }, strata }))
  }
  for (const [i, model] of ['a', 'b', 'c', 'd'].entries()) {
    await write(model, 'logits', 'blimp_one', 0.5 + i / 10)
    await write(model, 'h6', 'zorro-one', [0.2, 0.1, 0.3, 0.4][i] ?? null)
    if (i > 0) await write(model, 'logits', 'gsm8k', i / 10)
  }
  const [x, y] = [await readLedgerScores(folder, 'logits'), await readLedgerScores(folder, 'h6')]
  expect(x.rows).toEqual([
    { name: 'blimp_one', group: 'blimp', values: [0.5, 0.6, 0.7, 0.8] },
    { name: 'gsm8k', group: 'gsm8k', values: [null, 0.1, 0.2, 0.3] },
  ])
  // one of six pairs of models stands the other way
  expect(correlate(x, y, { method: 'kendall', minimum: 4 }).cells.find((cell) => cell.x === 'blimp' && cell.y === 'zorro')?.ofMeans).toMatchObject({
    count: 4,
    value: (5 - 1) / 6,
  })
  await expect(readLedgerScores(folder, 'logit')).rejects.toMatchObject({ code: 'usage.value', hint: expect.stringContaining('logits') })
  await expect(readLedgerScores(join(folder, 'nothing'), 'logits')).rejects.toMatchObject({ code: 'result.invalid' })
})
