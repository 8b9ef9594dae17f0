import { describe, expect, test } from 'vitest'
import type { Result } from '#core'
import { validationScore } from '#experiment/sweep'
import type { Validation } from '#task/rows'
import {
  borrowedQuality,
  givenQuality,
  measuredQuality,
  type Quality,
  similarityQuality,
} from '../../../src/experiment/aggregate/quality.ts'

const validation = { rule: 'dev', asked: { splits: ['dev'], subsets: ['en', 'de'] } } as unknown as Validation

describe('quality that the methods are given', () => {
  test('is 0 where it was below 0, whatever it came from', () => {
    const values = Float64Array.of(-0.5, 0.25, 0)
    const all: Quality[] = [
      givenQuality(values, 'mine', {}),
      measuredQuality({ scores: values, unscored: {} }, validation, {}),
      similarityQuality(Float64Array.of(-0.5, 0, 0, 0, 0.25, 0, 0, 0, 0), 3, 'diagonal', {}),
    ]
    for (const quality of all) {
      expect([...quality.values]).toEqual([-0.5, 0.25, 0])
      expect([...quality.used]).toEqual([0, 0.25, 0])
      expect(quality.notes['qualities']).toEqual({ 0: -0.5, 1: 0.25, 2: 0 })
    }
    expect(all.map(({ from }) => from)).toEqual(['mine', 'validation', 'diagonal'])
  })

  test('of a task that cannot be measured is the mean of the others, each divided by its best', () => {
    const of = (...values: number[]): Quality => givenQuality(Float64Array.from(values), 'mine', {})
    // (0.5, 1, 0) and (1, 0.25, 0): below 0 counts as 0
    const found = borrowedQuality(
      new Map([
        ['one', of(0.2, 0.4, -0.3)],
        ['two', of(0.8, 0.2, 0)],
      ]),
      {},
    )
    expect([...(found?.values ?? [])]).toEqual([0.75, 0.625, 0])
    expect(found?.notes['validation']).toBe('other tasks: one, two')
    // nothing is good on a task whose best is not above 0
    expect([...(borrowedQuality(new Map([['one', of(-0.2, 0)]]), {})?.values ?? [])]).toEqual([0, 0])
    expect(borrowedQuality(new Map(), {})).toBeUndefined()
  })

  test('that is measured names the states without a score', () => {
    const { notes } = measuredQuality({ scores: Float64Array.of(0, 1), unscored: { 0: 'all alike' } }, validation, {})
    expect(notes).toEqual({
      validation: 'dev',
      validationSubsets: ['en', 'de'],
      qualities: { 0: 0, 1: 1 },
      unscored: { 0: 'all alike' },
    })
  })
})

describe('the score of a validation', () => {
  const result = (status: 'ok' | 'failed', ...parts: readonly (readonly [string, number | null])[]): Result =>
    ({
      task_name: 'toy',
      scores: { dev: parts.map(([hf_subset, main_score]) => ({ hf_subset, main_score, languages: [] })) },
      strata: { status, reason: 'broken' },
    }) as unknown as Result

  test('is the mean over the subsets that validate, without those that are not defined', () => {
    expect(validationScore(result('ok', ['en', 0.5], ['de', 1], ['fr', 0]), validation)).toBe(0.75)
    expect(validationScore(result('ok', ['en', 0.5], ['de', null]), validation)).toBe(0.5)
  })

  test('is none of a result that failed, or has no number', () => {
    for (const one of [result('failed', ['en', 0.5]), result('ok', ['en', null]), result('ok', ['fr', 1])])
      expect(() => validationScore(one, validation)).toThrow(expect.objectContaining({ code: 'task.empty' }))
  })
})
