import { describe, expect, test } from 'vitest'
import type { Result } from '#core'
import { scoreGrid } from '#result/statistics'

function result(
  task: string,
  representation: string,
  score: number | null,
  { model = 'org/one' }: { model?: string } = {},
): Result {
  return {
    task_name: task,
    scores:
      score === null ? undefined : { test: [{ main_score: score, hf_subset: 'default', languages: ['eng-Latn'] }] },
    strata: {
      status: score === null ? 'failed' : 'ok',
      code: score === null ? 'task.empty' : undefined,
      model,
      revision: 'r',
      representation,
      profile: 'mteb-2',
      settings: {},
      fingerprint: '',
      version: '',
      seconds: 0,
    },
  }
}

describe('a grid of scores', () => {
  test('has a row per representation, a cell per task, and the best of each task', () => {
    const { tasks, severalModels, rows } = scoreGrid([
      result('A', 'h0', 0.4),
      result('A', 'h1', 0.6),
      result('B', 'h0', null),
    ])
    expect({ tasks, severalModels }).toEqual({ tasks: ['A', 'B'], severalModels: false })
    expect(rows).toEqual([
      { name: 'h0', cells: [{ all: 0.4, english: 0.4, best: false }, { failed: 'task.empty' }] },
      { name: 'h1', cells: [{ all: 0.6, english: 0.6, best: true }, undefined] },
    ])
  })

  test('calls both best that print alike, and none where there is one row', () => {
    const best = (results: readonly Result[]): unknown[] =>
      scoreGrid(results).rows.map(({ cells: [cell] }) => cell && 'best' in cell && cell.best)
    expect(best([result('A', 'h0', 0.50001), result('A', 'h1', 0.50002), result('A', 'h2', 0.4999)])).toEqual([
      true,
      true,
      false,
    ])
    expect(best([result('A', 'h0', 0.5)])).toEqual([false])
  })

  test('names models where there are several', () => {
    const { rows } = scoreGrid([result('A', 'default', 0.5), result('A', 'default', 0.6, { model: 'org/two' })])
    expect(rows.map(({ name }) => name)).toEqual(['org/one default', 'org/two default'])
  })
})
