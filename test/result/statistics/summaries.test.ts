import { describe, expect, test } from 'vitest'
import type { Result } from '#core'
import { toContenders, summaries } from '#result/statistics'
import { sampleFailure, sampleResult } from '../ledger/made-results.ts'

const result = (task_name: string, score: number, strata: Partial<Result['strata']> = {}): Result =>
  sampleResult({
    task_name,
    scores: { test: [{ main_score: score, hf_subset: 'default', languages: ['eng-Latn'] }] },
    strata,
  })
const failed = (task_name: string): Result => ({ ...sampleFailure(), task_name })

describe('contenders', () => {
  test('are representations, and go by their models too where there are several', () => {
    const one = [result('A', 0.5), result('A', 0.6, { representation: 'h4' }), result('B', 0.7)]
    expect(toContenders(one).map(({ name, scores }) => [name, [...scores.keys()]])).toEqual([
      ['h3', ['A', 'B']],
      ['h4', ['A']],
    ])
    expect(toContenders([...one, result('A', 0.1, { model: 'org/b' })]).map(({ name }) => name)).toEqual([
      'sentence-transformers/all-MiniLM-L6-v2 h3',
      'sentence-transformers/all-MiniLM-L6-v2 h4',
      'org/b h3',
    ])
  })

  test('say why a task has no score: left out, or failed', () => {
    const [only] = toContenders([failed('A'), result('B', 0.5)], new Map([['C', 'code of its own']]))
    expect([...(only?.scores.keys() ?? [])]).toEqual(['B'])
    expect([...(only?.reasons ?? [])]).toEqual([
      ['C', 'code of its own'],
      ['A', 'no query left after language filter ["fr"]'],
    ])
  })
})

describe('averages', () => {
  const known = new Map([
    ['A', { type: 'STS' }],
    ['B', { type: 'STS' }],
    ['C', { type: 'Retrieval' }],
  ])
  const chosen = {
    tasks: [{ name: 'A', type: 'STS' }],
    skipped: [{ task: { name: 'B', type: 'STS' }, reason: 'code of its own' }],
    benchmarks: [],
  }

  test('of tasks are over all that were asked for, those that cannot run among them', () => {
    const [all, ...more] = summaries(chosen, [result('A', 0.5)], known)
    expect(more).toEqual([])
    expect([all?.name, all?.averages.total, all?.averages.complete]).toEqual(['all tasks', 2, false])
    expect(all?.averages.missing).toEqual([{ task: 'B', who: ['h3'], reason: 'code of its own' }])
  })

  test('of a benchmark are over its own tasks and parts: what was not asked for is missing', () => {
    const benchmarks = [
      {
        name: 'one',
        tasks: new Map([
          ['A', {}],
          ['C', { splits: ['dev'] }],
        ]),
      },
      { name: 'two', tasks: new Map([['A', { splits: ['test'] }]]) },
    ]
    const found = summaries({ ...chosen, benchmarks }, [result('A', 0.5)], known)
    expect(found.map(({ name, averages }) => [name, averages.complete, averages.rows[0]?.meanTask])).toEqual([
      ['one', false, 0.5],
      ['two', true, 0.5],
    ])
    expect(found[0]?.averages.missing).toEqual([{ task: 'C', who: ['h3'], reason: 'not asked for' }])
    expect(found[0]?.averages.types).toEqual([
      { type: 'STS', done: 1, of: 1 },
      { type: 'Retrieval', done: 0, of: 1 },
    ])
  })
})
