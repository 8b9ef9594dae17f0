import { beforeAll, describe, expect, test } from 'vitest'
import { type Report, reportOf, tablesOf } from '#result/report'
import { writeResult } from '#result/ledger'
import { scratchFolder } from '../../scratch.ts'
import { sampleResult } from '../ledger/made-results.ts'

const { path } = scratchFolder()
const documents = 400
/** Share right of each task, by model. `same` is a tie with a parent; `few` is ahead by two documents. */
const shares: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  left: { clear: 0.4, worse: 0.6, middle: 0.3, same: 0.5, few: 0.5 },
  right: { clear: 0.5, worse: 0.7, middle: 0.7, same: 0.6, few: 0.5 },
  up: { clear: 0.9, worse: 0.2, middle: 0.5, same: 0.5, few: 0.505 },
  down: { clear: 0.1, worse: 0.9, middle: 0.5, same: 0.6, few: 0.495 },
  flat: { clear: 0.4, worse: 0.6, middle: 0.3, same: 0.5, few: 0.5 },
}
let report: Report
const parents = ['org/left#logits', 'org/right#logits']

beforeAll(async () => {
  for (const [model, tasks] of Object.entries(shares))
    for (const [task, share] of Object.entries(tasks)) {
      const strata = { model: `org/${model}`, revision: 'main', representation: 'logits' }
      const columns = ['split', 'subset', 'acc'].map((name, i) => ({
        name,
        type: i < 2 ? ('text' as const) : ('number' as const),
      }))
      const rows = Array.from({ length: documents }, (_, i) => ({
        split: 'test',
        subset: 'default',
        acc: (i * 7) % documents < share * documents ? 1 : 0,
      }))
      await writeResult(
        path('results'),
        sampleResult({
          task_name: task,
          scores: { test: [{ main_score: share, hf_subset: 'default', languages: [] }] },
          strata,
        }),
        {
          items: { columns, rows },
        },
      )
    }
  report = await reportOf([path('results')], { baseline: parents[0], parents, draws: 400 })
})

describe('merges against their parents', () => {
  test('better than all, worse than all, or between – a tie is between – and how often for sure', () => {
    const { merges = [], tasks = [] } = report.effects ?? {}
    expect(tasks).toEqual(['clear', 'few', 'middle', 'same', 'worse'])
    expect(merges.map(({ name, places, surely }) => [name, places, surely])).toEqual([
      ['org/down', { better: 1, worse: 2, between: 2 }, { better: 1, worse: 1 }],
      ['org/flat', { better: 0, worse: 0, between: 5 }, { better: 0, worse: 0 }],
      ['org/up', { better: 2, worse: 1, between: 2 }, { better: 1, worse: 1 }],
    ])
    expect(report.effects?.byTask[0]).toEqual({
      better: ['org/up'],
      worse: ['org/down'],
      between: ['org/flat'],
    })
  })

  test('differences are to the first parent, and their correlation is Pearson’s', () => {
    const { merges = [], alike } = report.effects ?? {}
    const [down, , up] = merges.map(({ differences }) => differences.map((value) => value ?? NaN))
    expect(up?.map((value) => value.toFixed(6))).toEqual(['0.500000', '0.005000', '0.200000', '0.000000', '-0.400000'])
    const centred = [down, up].map((values = []) =>
      values.map((value) => value - values.reduce((sum, one) => sum + one, 0) / values.length),
    )
    const dot = (a: readonly number[] = [], b: readonly number[] = []): number =>
      a.reduce((sum, value, i) => sum + value * (b[i] ?? NaN), 0)
    expect(alike?.[0]?.[2]).toBeCloseTo(
      dot(centred[0], centred[1]) / Math.sqrt(dot(centred[0], centred[0]) * dot(centred[1], centred[1])),
      12,
    )
    // what does not change has no correlation with anything
    expect(alike?.[1]).toEqual([null, null, null])
  })

  test('a merge is surely better only where chance would hardly do it', async () => {
    // three of 400 documents are drawn none of by e⁻³ of the resamples, a p of some 0.1, and of 24 by hardly any
    const certain = async (folder: string, right: number): Promise<unknown> => {
      for (const [model, count] of Object.entries({ left: 200, right: 200, merge: right })) {
        const acc = Array.from({ length: documents }, (_, i) => (i < count ? 1 : 0))
        await writeResult(
          path(folder),
          sampleResult({
            task_name: 'one',
            scores: { test: [{ main_score: count / documents, hf_subset: 'default', languages: [] }] },
            strata: { model: `org/${model}`, revision: 'main', representation: 'logits' },
          }),
          {
            items: {
              columns: ['split', 'subset', 'acc'].map((name, i) => ({
                name,
                type: i < 2 ? ('text' as const) : ('number' as const),
              })),
              rows: acc.map((value) => ({ split: 'test', subset: 'default', acc: value })),
            },
          },
        )
      }
      const { effects, held } = await reportOf([path(folder)], { baseline: parents[0], parents, draws: 2000 })
      const p = held?.onTasks.find(({ name }) => name === 'org/merge')?.pHolm ?? 1
      return [effects?.merges[0]?.places.better, effects?.merges[0]?.surely.better, p < 0.05, p < 0.5]
    }
    expect(await certain('few', 203)).toEqual([1, 0, false, true])
    expect(await certain('many', 224)).toEqual([1, 1, true, true])
  })

  test('tasks that gained and lost most, at most five of each, the greatest first', async () => {
    const tasks = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l', 'm']
    // the merge is −6 … +6 points away
    const rows = (shift: (i: number) => number) =>
      tasks.map((task, i) => ({ checkpoint: 'main', layer: 'default', task, score: 0.5 + shift(i) }))
    const recorded = [
      { model: 'org/left', rows: rows(() => 0) },
      { model: 'org/right', rows: rows(() => 0.25) },
      { model: 'org/merge', rows: rows((i) => (i - 6) / 100) },
    ]
    const found = await reportOf([], { recorded, parents: ['org/left default', 'org/right default'] })
    const table = tablesOf(found).find(({ id }) => id === 'merges-extremes')
    expect(table?.rows.map((row) => row.map(({ text }) => text))).toEqual([
      ['org/merge', 'm +6.00, l +5.00, k +4.00, j +3.00, i +2.00', 'a −6.00, b −5.00, c −4.00, d −3.00, e −2.00'],
    ])
  })

  test('are tables of every format, and trees', () => {
    const ids = tablesOf(report).map(({ id }) => id)
    expect(ids).toEqual(expect.arrayContaining(['merges', 'merges-by-task', 'merges-extremes', 'merges-alike']))
    expect(report.effects?.trees?.merges.map(({ size }) => size)).toEqual([2, 3])
    expect(report.effects?.trees?.tasks).toHaveLength(4)
  })

  test('a parent that is not there, or nothing beside the parents, is refused', async () => {
    await expect(reportOf([path('results')], { parents: ['org/lefd logits'] })).rejects.toMatchObject({
      code: 'usage.value',
      hint: expect.stringContaining('org/left'),
    })
    const all = Object.keys(shares).map((model) => `org/${model}#logits`)
    await expect(reportOf([path('results')], { parents: all })).rejects.toMatchObject({ code: 'usage.value' })
  })

  test('the row that all come from is no merge', async () => {
    const { effects } = await reportOf([path('results')], { baseline: 'org/flat#logits', parents, draws: 100 })
    expect(effects?.merges.map(({ name }) => name)).toEqual(['org/down', 'org/up'])
  })

  test('a name that two rows have is refused, with both', async () => {
    const strata = { model: 'org/flat', revision: 'step7', representation: 'logits' }
    const scores = { test: [{ main_score: 0.5, hf_subset: 'default', languages: [] }] }
    await writeResult(path('older'), sampleResult({ task_name: 'clear', scores, strata }))
    const folders = [path('results'), path('older')]
    for (const options of [{ baseline: 'org/flat#logits' }, { parents: ['org/flat#logits', 'org/left#logits'] }])
      await expect(reportOf(folders, options)).rejects.toMatchObject({
        code: 'usage.value',
        message: expect.stringMatching(/several results have this name.*org\/flat@main#logits, org\/flat@step7#logits/),
      })
    await expect(reportOf(folders, { baseline: 'org/flat@main#logits', draws: 100 })).resolves.toMatchObject({
      held: { chosen: 'asked' },
    })
  })
})
