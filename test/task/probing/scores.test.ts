import { describe, expect, test } from 'vitest'
import { accuracy, f1ByClass, macroF1, mainScore, scoresOf } from '../../../src/task/probing/scores.ts'
import { goldenOf } from '../../golden-of.ts'

const { f1 } = goldenOf<{
  readonly f1: readonly { classes: number; answers: number[]; labels: number[]; macro_f1: number }[]
}>('task/probing', 'probes')

describe('macroF1', () => {
  test.each(f1)('$macro_f1 as torchmetrics has it', ({ answers, labels, classes, macro_f1 }) => {
    // torchmetrics computes in float32
    expect(macroF1(answers, labels, classes)).toBeCloseTo(macro_f1, 6)
  })

  test('a constant answer to two balanced classes is a third', () => {
    expect(macroF1([0, 0, 0, 0], [0, 1, 0, 1], 2)).toBeCloseTo(1 / 3, 12)
  })

  test('a class that nobody speaks of does not count', () => {
    expect(f1ByClass([0, 1], [0, 1], 3)).toEqual([1, 1, undefined])
    expect(macroF1([0, 1], [0, 1], 3)).toBe(1)
  })
})

test('accuracy is the share of right answers', () => {
  expect(accuracy([0, 1, 1, 2], [0, 1, 0, 2])).toBe(0.75)
})

describe('scoresOf', () => {
  test('classes are the largest outputs', () => {
    expect(scoresOf(Float32Array.of(0.1, 0.9, 3, 2, -1, -2), [1, 0, 1], 2)).toEqual({
      macro_f1: (2 / 3 + 2 / 3) / 2,
      accuracy: 2 / 3,
    })
  })

  test('of numbers it is their correlation, and nothing where one side is constant', () => {
    const scores = scoresOf(Float32Array.of(1, 2, 3, 5), [2, 4, 6, 10], 1)
    expect(mainScore(scores)).toBeCloseTo(1, 12)
    expect(mainScore(scoresOf(Float32Array.of(1, 1, 1), [1, 2, 3], 1))).toBeNull()
  })
})
