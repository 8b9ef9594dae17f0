import { describe, expect, test } from 'vitest'
import { chosen, type Scored, type TaskScores } from '../../../src/experiment/aggregate/choice.ts'

const candidate = (
  method: string,
  validation: number | null,
  test: number | null,
  lambda: number | null = null,
): Scored => ({
  recipes: [{ method, lambda, similarity: null }],
  representation: `${method}-${lambda}`,
  mixes: method !== 'last',
  validation,
  test,
})
const task = (name: string, ...candidates: Scored[]): TaskScores => ({ task: name, candidates, states: [] })

describe('the choice', () => {
  test('is by validation, the first of equals, among those that may be chosen', () => {
    const one = task(
      'one',
      candidate('last', 0.9, 0),
      candidate('mean', 0.4, 1),
      candidate('weighted', 0.8, 0.1),
      candidate('greedy', 0.8, 0.7),
    )
    expect(chosen(one, [one])?.representation).toBe('last-null')
    expect(chosen(one, [one], ({ mixes }) => mixes)?.representation).toBe('weighted-null')
    expect(chosen(one, [one], () => false)).toBeUndefined()
  })

  test('of a task without validation is what stands best on the others, each scaled by its own worst and best', () => {
    const bare = task(
      'bare',
      candidate('mean', null, 0.9),
      candidate('weighted', null, 0.1, 0.5),
      candidate('weighted', null, 0.2, 1),
    )
    // a task of large scores and one of small, negative ones: places 0 1 0.5 and 1 0.5 0
    const large = task(
      'large',
      candidate('mean', 0.5, 0),
      candidate('weighted', 0.9, 0, 0.5),
      candidate('weighted', 0.7, 0, 1),
    )
    const small = task(
      'small',
      candidate('mean', -0.01, 0),
      candidate('weighted', -0.02, 0, 0.5),
      candidate('weighted', -0.03, 0, 1),
    )
    expect(chosen(bare, [bare, large, small])?.representation).toBe('weighted-0.5')
    expect(chosen(bare, [bare, small])?.representation).toBe('mean-null')
  })

  test('tells recipes of one method apart by their price and their similarity', () => {
    const [half, whole] = [candidate('weighted', null, 0, 0.5), candidate('weighted', null, 0, 1)]
    const bare = task('bare', half, whole)
    const other = task('other', candidate('weighted', 0.2, 0, 0.5), candidate('weighted', 0.8, 0, 1))
    expect(chosen(bare, [bare, other])?.representation).toBe('weighted-1')
    const of = (similarity: string, validation: number | null): Scored => ({
      ...candidate('weighted', validation, 0, 1),
      recipes: [{ method: 'weighted', lambda: 1, similarity }],
      representation: similarity,
    })
    const [open, known] = [
      task('open', of('cka', null), of('rsa', null)),
      task('known', of('cka', 0.2), of('rsa', 0.8)),
    ]
    expect(chosen(open, [open, known])?.representation).toBe('rsa')
  })

  test('counts a task on which all are equal as one on which each is the best', () => {
    const bare = task('bare', candidate('mean', null, 0), candidate('last', null, 0))
    const large = task(
      'large',
      candidate('mean', 0.6, 0),
      candidate('last', 0.7, 0),
      candidate('greedy', 0, 0),
      candidate('best', 1, 0),
    )
    const flat = task('flat', candidate('mean', 0.4, 0), candidate('greedy', 0.4, 0))
    // places of mean: 0.6 and 1; of last: 0.7 alone
    expect(chosen(bare, [bare, large, flat])?.representation).toBe('mean-null')
    expect(chosen(bare, [bare, large])?.representation).toBe('last-null')
  })

  test('is none where no task validates, and there is more than one to choose', () => {
    const bare = task(
      'bare',
      candidate('mean', null, 0.9),
      candidate('weighted', null, 0.1, 0.5),
      candidate('weighted', null, 0.2, 1),
    )
    expect(chosen(bare, [bare])).toBeUndefined()
    expect(chosen(bare, [bare], ({ recipes }) => recipes[0]?.method === 'mean')?.representation).toBe('mean-null')
  })
})
