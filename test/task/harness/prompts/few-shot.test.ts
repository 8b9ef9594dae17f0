/** Draws as lm-evaluation-harness 0.4.13 made them (`ContextSampler`, `FirstNSampler` under CPython 3.11, seed 1234). */
import { describe, expect, test } from 'vitest'
import { fewShotSampler, type FewShotOptions } from '../../../../src/task/harness/prompts/few-shot.ts'

const pool = Array.from({ length: 6 }, (_, i) => ({ q: `q${i}` }))
const twice = [0, 1, 0, 2, 3].map((i) => ({ q: `q${i}` }))
const usual: FewShotOptions = { count: 3, sampler: 'default', seed: 1234, excludeAsked: false, place: 'toy' }

/** What is drawn for these rows, one after the other, and how many had themselves among them. */
function drawn(
  options: Partial<FewShotOptions>,
  asked: readonly { q: string }[],
  from = pool,
): { examples: string[]; leaks: number } {
  const { next, leaks } = fewShotSampler(from, { ...usual, ...options })
  return {
    examples: asked.map((doc) =>
      next(doc)
        .map(({ q }) => JSON.stringify(q).slice(1, -1))
        .join(' '),
    ),
    leaks: leaks(),
  }
}

describe('examples', () => {
  test('of another split are one draw a question', () => {
    const other = Array.from({ length: 4 }, (_, i) => ({ q: `other ${i}` }))
    expect(drawn({}, other)).toEqual({ examples: ['q3 q0 q4', 'q0 q4 q5', 'q5 q0 q4', 'q2 q1 q0'], leaks: 0 })
  })

  test('of the split that is asked are drawn one more, without the row itself', () => {
    expect(drawn({ excludeAsked: true }, pool)).toEqual({
      examples: ['q3 q4 q5', 'q4 q0 q5', 'q1 q0 q3', 'q0 q2 q4', 'q3 q1 q0', 'q0 q4 q2'],
      leaks: 0,
    })
  })

  test('of a row that stands twice are drawn again from the others', () => {
    expect(drawn({ count: 2, excludeAsked: true }, twice, twice).examples).toEqual([
      'q2 q3',
      'q0 q3',
      'q3 q1',
      'q1 q0',
      'q0 q0',
    ])
  })

  test('the first n are the first that are not the row itself', () => {
    const first = { count: 2, sampler: 'first_n' }
    expect(drawn(first, [{ q: 'other' }]).examples).toEqual(['q0 q1'])
    expect(drawn({ ...first, excludeAsked: true }, pool.slice(0, 3)).examples).toEqual(['q1 q2', 'q0 q2', 'q0 q1'])
  })

  test('a row among its own examples is counted, where the splits have different names and the same rows', () => {
    // the draws are q3 q0 q4, q0 q4 q5, q5 q0 q4
    expect(
      drawn(
        {},
        [0, 1, 4].map((i) => pool[i] ?? { q: '' }),
      ).leaks,
    ).toBe(2)
  })

  test('too few, and a sampler that is none, are refused', () => {
    const refused = (options: Partial<FewShotOptions>): unknown => {
      try {
        return drawn(options, pool.slice(0, 1))
      } catch (error) {
        return (error as { code?: string }).code
      }
    }
    expect(refused({ count: 6 })).toMatchObject({ leaks: 1 })
    expect(refused({ count: 7 })).toBe('usage.value')
    // one more is drawn
    expect(refused({ count: 5, excludeAsked: true })).toMatchObject({ leaks: 0 })
    expect(refused({ count: 6, excludeAsked: true })).toBe('usage.value')
    expect(refused({ count: 5, excludeAsked: true, sampler: 'first_n' })).toMatchObject({ leaks: 0 })
    expect(refused({ count: 6, excludeAsked: true, sampler: 'first_n' })).toBe('usage.value')
    expect(refused({ sampler: 'balanced' })).toBe('usage.value')
  })
})
