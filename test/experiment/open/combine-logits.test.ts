import { describe, expect, it } from 'vitest'
import { matrix } from '#core'
import { combineLogits, type EnsembleMethod } from '../../../src/experiment/open/combine-logits.ts'

const one = (...values: number[]) => matrix(1, values.length, Float32Array.from(values))
const answer = (method: EnsembleMethod, weights: readonly number[], ...logits: ReturnType<typeof one>[]): number => {
  const { data } = combineLogits(logits, weights, method)
  return data.indexOf(Math.max(...data))
}

describe('classifiers that answer together', () => {
  // two for the first label, barely; one for the third, surely
  const parts = [one(1.1, 1, 0), one(1.1, 0, 1), one(0, 0, 9)]
  it.each([
    ['majority', [0.1, 0.1, 0.8], 0],
    ['weighted_majority', [0.1, 0.1, 0.8], 2],
    ['weighted_majority', [0.4, 0.4, 0.2], 0],
    ['soft_vote', [0.4, 0.4, 0.2], 2],
    ['weighted_logits', [0.4, 0.4, 0.2], 2],
    ['weighted_logits', [0.48, 0.48, 0.04], 0],
  ] as const)('%s with weights %j', (method, weights, expected) => {
    expect(answer(method, weights, ...parts)).toBe(expected)
  })

  it('soft votes are mean probabilities, and logits weighted means', () => {
    const { data } = combineLogits([one(0, Math.log(3)), one(Math.log(4), 0)], [0.25, 0.75], 'soft_vote')
    expect(data[0]).toBeCloseTo((0.25 + 0.8) / 2, 6)
    const { data: mean } = combineLogits([one(0, 2), one(4, 0)], [0.25, 0.75], 'weighted_logits')
    expect([...mean]).toEqual([3, 0.5])
  })

  it('equal votes go to the label of the larger mean probability', () => {
    expect(answer('majority', [0.5, 0.5], one(1, 0, 0), one(0, 3, 0))).toBe(1)
    expect(answer('majority', [0.5, 0.5], one(3, 0, 0), one(0, 1, 0))).toBe(0)
  })

  it('answers text by text', () => {
    const two = matrix(2, 2, Float32Array.of(1, 0, 0, 1))
    expect([...combineLogits([two], [1], 'weighted_logits').data]).toEqual([1, 0, 0, 1])
  })
})
