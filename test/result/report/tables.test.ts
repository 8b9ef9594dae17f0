/** Marks of certainty, and who is compared with whom, cell by cell. */
import { beforeAll, describe, expect, test } from 'vitest'
import { type Report, reportOf, tablesOf } from '#result/report'
import { writeResult } from '#result/ledger'
import { scratchFolder } from '../../scratch.ts'
import { sampleResult } from '../ledger/made-results.ts'

const { path } = scratchFolder()
const documents = 400

/** A task of 400 documents of which the first are right; those of another row differ in as many as the counts do. */
async function write(folder: string, representation: string, right: number, lower = false): Promise<void> {
  const columns = ['split', 'subset', 'correct'].map((name, i) => ({
    name,
    type: i < 2 ? ('text' as const) : ('number' as const),
  }))
  const rows = Array.from({ length: documents }, (_, i) => ({
    split: 'test',
    subset: 'default',
    correct: i < right ? 1 : 0,
  }))
  const part = { main_score: right / documents, hf_subset: 'default', languages: [] }
  await writeResult(
    path(folder),
    sampleResult({
      task_name: 'Labels',
      scores: { test: [lower ? { ...part, higher_is_better: false } : part] },
      strata: { model: 'org/model', revision: 'main', representation },
    }),
    { items: { columns, rows } },
  )
}
const tableOf = (report: Report, id: string) => tablesOf(report).find((table) => table.id === id)

/** Scores of one model that were written down elsewhere, six tasks alike. */
const recorded = (rows: readonly (readonly [checkpoint: string, layer: string, score: number])[], model = 'org/a') => ({
  model,
  rows: rows.flatMap(([checkpoint, layer, score]) =>
    Array.from({ length: 6 }, (_, i) => ({ checkpoint, layer, task: `Task${i}`, score })),
  ),
})

describe('what differs from the baseline by more than chance', () => {
  let report: Report
  beforeAll(async () => {
    // three documents are drawn none of by e⁻³ of the resamples: p is some 0.1, and three times that after Holm
    const right = { default: 200, h1: 203, h2: 240, h3: 160 }
    for (const [representation, count] of Object.entries(right)) await write('labels', representation, count)
    report = await reportOf([path('labels')], { draws: 2000 })
  })

  test('has an arrow, up or down', () => {
    const p = report.held?.onTasks.find(({ name }) => name === 'h1')?.pHolm ?? 0
    expect([p > 0.05, p < 0.5]).toEqual([true, true])
    const table = tableOf(report, 'representations')
    const at = table?.columns.findIndex(({ title }) => title === 'Labels') ?? -1
    expect(table?.rows.map((row) => [row[0]?.text, row[at]?.text])).toEqual([
      ['h1', '50.75'],
      ['h2', '60.00 ↑'],
      ['h3', '40.00 ↓'],
      ['default', '50.00'],
    ])
  })

  test('is marked on its task where it is better', () => {
    const table = tableOf(report, 'on-tasks')
    expect(table?.rows.map(([name, , difference, , , , p]) => [name?.text, difference?.text, p?.best])).toEqual([
      ['h1', '+0.75', false],
      ['h2', '+10.00', true],
      ['h3', '−10.00', false],
    ])
  })

  test('over tasks is marked where it is better', async () => {
    // six differences of one sign: 2 of 64 assignments, and one row
    const marked = async (baseline: string): Promise<unknown[]> => {
      const found = await reportOf([], {
        recorded: [
          recorded([
            ['main', 'default', 0.5],
            ['main', 'h1', 0.625],
          ]),
        ],
        baseline,
      })
      return (
        tableOf(found, 'over-tasks')?.rows.map((row) => [row[0]?.text, row[1]?.text, row[3]?.text, row[3]?.best]) ?? []
      )
    }
    expect(await marked('default')).toEqual([['h1', '+12.50', '0.031', true]])
    expect(await marked('h1')).toEqual([['default', '−12.50', '0.031', false]])
  })
})

describe('coverage', () => {
  test('says of each task whether it is in the means: all have it, and higher is better', async () => {
    await write('lower', 'default', 200, true)
    const lower = await reportOf([path('lower')])
    expect(tableOf(lower, 'coverage')?.rows.map((row) => row.map(({ text }) => text))).toEqual([
      ['Labels', '–', 'test default', '–', '1 of 1', 'no'],
    ])
    const { rows, ...other } = recorded([
      ['main', 'default', 0.5],
      ['main', 'h1', 0.625],
    ])
    const some = await reportOf([], {
      recorded: [{ ...other, rows: rows.filter(({ layer, task }) => layer === 'default' || task < 'Task2') }],
    })
    expect(tableOf(some, 'coverage')?.rows.map((row) => [row[0]?.text, row[4]?.text, row[5]?.text])).toEqual([
      ['Task0', '2 of 2', 'yes'],
      ['Task1', '2 of 2', 'yes'],
      ...['Task2', 'Task3', 'Task4', 'Task5'].map((task) => [task, '1 of 2', 'no']),
    ])
  })
})

describe('who is compared with whom', () => {
  const pairs = async (options: Parameters<typeof reportOf>[1]): Promise<unknown> => {
    const { held } = await reportOf([], options)
    return [held?.baseline, held?.chosen, held?.overTasks.map(({ name, against }) => [name, against])]
  }

  test('a representation as baseline is that of the row’s own model and revision', async () => {
    const revisions = recorded([
      ['step1', 'default', 0.25],
      ['step1', 'h1', 0.5],
      ['step2', 'default', 0.75],
      ['step2', 'h1', 0.5],
    ])
    expect(await pairs({ recorded: [revisions] })).toEqual([
      'default',
      'default',
      [
        ['step1 h1', 'step1 default'],
        ['step2 h1', 'step2 default'],
      ],
    ])
  })

  test('where all are defaults, the best of them is the baseline', async () => {
    const models = ['org/a', 'org/b'].map((model, i) => recorded([['main', 'default', 0.5 + i / 4]], model))
    expect(await pairs({ recorded: models })).toEqual(['org/b', 'best', [['org/a', 'org/b']]])
  })

  test('a revision is named by its beginning', async () => {
    const revisions = recorded([
      ['abcdef0', 'h1', 0.25],
      ['fedcba0', 'h1', 0.5],
    ])
    expect(await pairs({ recorded: [revisions], baseline: 'org/a@abc#h1' })).toEqual([
      'abcdef0 h1',
      'asked',
      [['fedcba0 h1', 'abcdef0 h1']],
    ])
  })
})
