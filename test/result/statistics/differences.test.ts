import { describe, expect, test } from 'vitest'
import { differences, holmBy, overTasks, type ResultRow, toDifference } from '#result/statistics'

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
