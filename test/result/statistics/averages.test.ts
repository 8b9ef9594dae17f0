import { describe, expect, test } from 'vitest'
import type { Scores } from '#core'
import { averagesOf, bordaRanks, meanScore } from '#result/statistics'

const scored = (subsets: Record<string, number | null>, split = 'test'): Scores => ({
  [split]: Object.entries(subsets).map(([name, value]) => ({
    main_score: value,
    hf_subset: name,
    languages: ['eng-Latn'],
  })),
})

describe('the score of a task', () => {
  const scores = { ...scored({ en: 0.8, de: 0.6 }), ...scored({ en: 0.4 }, 'dev') }
  test('is the mean over the splits and subsets that count', () => {
    expect(meanScore(scores)).toBeCloseTo(0.6, 15)
    expect(meanScore(scores, { splits: ['test'] })).toBeCloseTo(0.7, 15)
    expect(meanScore(scores, { splits: ['test'], subsets: ['en'] })).toBe(0.8)
  })
  test('is undefined as soon as one of them is missing or null, and for nothing', () => {
    expect(meanScore(scores, { subsets: ['de'] })).toBeUndefined()
    expect(meanScore(scores, { splits: ['validation'] })).toBeUndefined()
    expect(meanScore(scored({ en: null, de: 0.6 }))).toBeUndefined()
    expect(meanScore({})).toBeUndefined()
    expect(meanScore(undefined)).toBeUndefined()
  })
})

describe('averages', () => {
  const tasks = [
    { name: 'A', type: 'STS' },
    { name: 'B', type: 'STS' },
    { name: 'C', type: 'Retrieval', splits: ['test'], subsets: ['en'] },
  ]
  const contender = (name: string, values: Record<string, number>) => ({
    name,
    scores: new Map(Object.entries(values).map(([task, value]) => [task, scored({ en: value })])),
    reasons: new Map([['B', 'task.empty']]),
  })
  test('Mean (Task) is over tasks, Mean (TaskType) over types', () => {
    const { rows, complete, missing, types } = averagesOf(tasks, [contender('x', { A: 0.2, B: 0.4, C: 0.9 })])
    expect(complete).toBe(true)
    expect(missing).toEqual([])
    expect(types).toEqual([
      { type: 'STS', done: 2, of: 2 },
      { type: 'Retrieval', done: 1, of: 1 },
    ])
    expect(rows[0]?.meanTask).toBeCloseTo(0.5, 15)
    expect(rows[0]?.meanType).toBeCloseTo(0.6, 15)
    expect(rows[0]?.borda).toBeNull()
  })
  test('count only tasks that all contenders completed, and name the others', () => {
    const { rows, common, complete, missing } = averagesOf(tasks, [
      contender('x', { A: 0.2, B: 0.4, C: 0.9 }),
      contender('y', { A: 0.3, C: 0.8 }),
    ])
    expect(common).toEqual(['A', 'C'])
    expect(complete).toBe(false)
    expect(missing).toEqual([{ task: 'B', who: ['y'], reason: 'task.empty' }])
    expect(rows.map(({ completed }) => completed)).toEqual([3, 2])
    expect(rows[0]?.meanTask).toBeCloseTo(0.55, 15)
    expect(rows.map(({ borda }) => borda)).toEqual([1, 1])
  })
  test('of no task, and of nobody, are none and not complete', () => {
    expect(averagesOf([], [contender('x', { A: 0.2 })])).toMatchObject({
      total: 0,
      common: [],
      complete: false,
      rows: [{ completed: 0, meanTask: null, meanType: null, borda: null }],
    })
    expect(averagesOf(tasks, [])).toMatchObject({ common: [], complete: false, missing: [], rows: [] })
  })
  test('nothing in common gives no mean', () => {
    const { rows, complete } = averagesOf(tasks, [contender('x', { A: 0.2 }), contender('y', { C: 0.8 })])
    expect(complete).toBe(false)
    expect(rows.map(({ meanTask, meanType, borda }) => [meanTask, meanType, borda])).toEqual([
      [null, null, null],
      [null, null, null],
    ])
  })
  test('Borda counts points by average rank, ties share and take the smaller rank', () => {
    // three contenders: 2 + 1.5 + 0 = 3.5, 1 + 1.5 + 1 = 3.5, 0 + 0 + 2 = 2
    const rows = [
      [0.9, 0.8, 0.7],
      [0.5, 0.5, 0.1],
      [0.1, 0.2, 0.3],
    ]
    expect(bordaRanks(rows)).toEqual([1, 1, 3])
  })
})

test('ranks by Borda count are those of comparing each with each, and NaN is below every score', () => {
  const rows = Array.from({ length: 7 }, (_, task) =>
    Array.from({ length: 40 }, (_unused, i) => Math.round(6 * Math.sin(31 * task + 7 * i * i))),
  )
  const points = (i: number): number =>
    rows.reduce((sum, row) => {
      const own = row[i] ?? NaN
      const [better, same] = [row.filter((score) => score > own).length, row.filter((score) => score === own).length]
      return sum + row.length - (better + (same + 1) / 2)
    }, 0)
  const all = Array.from({ length: 40 }, (_, i) => points(i))
  const ranks = all.map((own) => 1 + all.filter((other) => other > own).length)
  expect(bordaRanks(rows)).toEqual(ranks)
  expect(new Set(ranks).size).toBeLessThan(40)
  expect(bordaRanks([[0.2, NaN, 0.1]])).toEqual([1, 3, 2])
  expect(bordaRanks([])).toEqual([])
})
