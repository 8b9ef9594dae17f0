import { describe, expect, test } from 'vitest'
import { writeResult } from '#result/ledger'
import { differences, holmBy, overTasks, type ResultRow, toDifference } from '#result/statistics'
import { scratchFolder } from '../../scratch.ts'
import { sampleResult } from '../ledger/made-results.ts'

const root = scratchFolder().path('results')

/** With single items, of which these are right. */
async function kept(representation: string, correct: readonly number[]): Promise<ResultRow> {
  const score = correct.reduce((sum, value) => sum + value, 0) / correct.length
  const scores = { test: [{ main_score: score, hf_subset: 'default', languages: [] }] }
  const strata = { model: 'org/model', revision: 'main', representation }
  await writeResult(root, sampleResult({ task_name: 'Task', scores, strata }), {
    items: {
      columns: ['split', 'subset', 'correct'].map((name) => ({
        name,
        type: name === 'correct' ? ('number' as const) : ('text' as const),
      })),
      rows: correct.map((value) => ({ split: 'test', subset: 'default', correct: value })),
    },
  })
  return { name: representation, ...strata, scores: new Map([['Task', scores]]), roots: new Map([['Task', root]]) }
}

/** Without single items, which tests of reports have. */
const row = (name: string, scores: Readonly<Record<string, number>>): ResultRow => ({
  name,
  model: 'org/model',
  revision: 'main',
  representation: name,
  scores: new Map(
    Object.entries(scores).map(([task, score]) => [
      task,
      { test: [{ main_score: score, hf_subset: 'default', languages: [] }] },
    ]),
  ),
  roots: new Map(),
})
const last = row('last', { One: 0.5, Two: 0.5, Loss: 3 })
const rows = [last, row('h1', { One: 0.75, Two: 0.25, Loss: 2 }), row('h2', { One: 0.75 })]
const tasks = ['One', 'Two', 'Loss'].map((name) => ({ name, lowerIsBetter: name === 'Loss' }))

describe('differences to a baseline', () => {
  test('are those of every other row, on the tasks that both have', async () => {
    const { onTasks } = await differences(rows, () => last, { tasks })
    expect(onTasks.map(({ name, task, difference, ahead }) => [name, task, difference, ahead])).toEqual([
      ['h1', 'One', 0.25, true],
      ['h2', 'One', 0.25, true],
      ['h1', 'Two', -0.25, false],
      // lower is better
      ['h1', 'Loss', -1, true],
    ])
    expect(new Set(onTasks.map(({ p, pHolm, why }) => JSON.stringify([p, pHolm, why])))).toEqual(
      new Set([JSON.stringify([null, null, 'scores of single items are not stored'])]),
    )
  })

  test('over tasks leave out where lower is better, and are corrected over the rows', async () => {
    const { overTasks: over } = await differences(rows, () => last, { tasks })
    expect(over).toEqual([
      { name: 'h1', against: 'last', tasks: 2, difference: 0, wins: 1, losses: 1, ties: 0, p: 1, pHolm: 1 },
      { name: 'h2', against: 'last', tasks: 1, difference: 0.25, wins: 1, losses: 0, ties: 0, p: 1, pHolm: 1 },
    ])
  })

  test('are none where a row has no baseline', async () => {
    expect(await differences(rows, () => undefined, { tasks })).toEqual({ onTasks: [], overTasks: [] })
  })
})

describe('single items', () => {
  const asked = { tasks: [{ name: 'Task', lowerIsBetter: false }], draws: 1000 }
  const right = (count: number, of = 30): number[] => Array.from({ length: of }, (_, i) => (i < count ? 1 : 0))

  test('are looked for task by task, where a row has them of another task', async () => {
    const both = async (name: string, count: number): Promise<ResultRow> => {
      const one = await kept(name, right(count))
      const [scores, place] = [one.scores.get('Task') ?? {}, one.roots.get('Task') ?? '']
      return {
        ...one,
        scores: new Map([...one.scores, ['Other', scores]]),
        roots: new Map([...one.roots, ['Other', place]]),
      }
    }
    const [base, better] = [await both('h7', 10), await both('h8', 20)]
    const { onTasks } = await differences([base, better], () => base, {
      tasks: ['Other', 'Task'].map((name) => ({ name, lowerIsBetter: false })),
    })
    expect(onTasks.map(({ task, why, p }) => [task, why, p !== null])).toEqual([
      ['Other', 'scores of single items are not stored', false],
      ['Task', undefined, true],
    ])
  })

  test('of a row that has others do not take the intervals of the rest', async () => {
    const base = await kept('base', right(10))
    const found = await differences(
      [base, await kept('same', right(25)), await kept('fewer', right(15, 20))],
      () => base,
      asked,
    )
    expect(found.onTasks.map(({ name, p, why }) => [name, p === null, why])).toEqual([
      ['same', false, undefined],
      ['fewer', true, 'the items of the two differ'],
    ])
  })

  test('are drawn again of the sixty best rows', async () => {
    const rows = await Promise.all(Array.from({ length: 62 }, (_, i) => kept(`h${i}`, right(63 - i, 64))))
    const base = await kept('wide', right(1, 64))
    const { onTasks } = await differences(rows, () => base, asked)
    const without = onTasks.filter(({ p }) => p === null)
    expect(without.map(({ name, why }) => [name, why])).toEqual([
      ['h60', 'only the best 60 rows are resampled'],
      ['h61', 'only the best 60 rows are resampled'],
    ])
  })
})

test('a comparison that was not made has no difference, one without an interval says why', () => {
  const none = { difference: null, low: null, high: null, p: null, pHolm: null }
  expect(toDifference('last', undefined)).toEqual({ against: 'last', ...none })
  const comparison = { task: 'One', ours: 1, theirs: 0.5, difference: 0.5, parts: 1, of: 1 }
  expect(toDifference('last', { ...comparison, why: 'no items' })).toEqual({
    against: 'last',
    ...none,
    difference: 0.5,
    why: 'no items',
  })
  const interval = { low: 0.25, high: 0.75, p: 0.01, draws: 1000 }
  expect(toDifference('last', { ...comparison, interval })).toEqual({
    against: 'last',
    difference: 0.5,
    low: 0.25,
    high: 0.75,
    p: 0.01,
    pHolm: null,
  })
})

test('three wins of four tasks have the p of their signs', () => {
  // of 16 assignments, those with a sum of at least 2 or at most −2: 2 with ±4 and 8 with ±2
  expect(overTasks([1, 1, 1, -1])).toEqual({ tasks: 4, difference: 0.5, wins: 3, losses: 1, ties: 0, p: 10 / 16 })
})

test('a correction by name is Holm’s', () => {
  expect([...holmBy(new Map(Object.entries({ a: 0.04, b: 0.01 })))]).toEqual([
    ['a', 0.04],
    ['b', 0.02],
  ])
})
