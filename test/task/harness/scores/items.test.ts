import { describe, expect, test } from 'vitest'
import { choiceItems, continuationItems, rollingItems } from '../../../../src/task/harness/scores/items.ts'

/** Items of one document; golds, predictions and lengths as `ConfigurableTask.process_results` of 0.4.13 takes them. */
function itemsOf(
  scores: readonly number[],
  choices: readonly string[],
  {
    gold = 0,
    metrics = ['acc', 'acc_norm', 'acc_bytes'],
    greedy = [] as readonly boolean[],
    multiple = false,
  }: {
    gold?: number | string | readonly number[]
    metrics?: readonly string[]
    greedy?: readonly boolean[]
    multiple?: boolean
  } = {},
): ReturnType<typeof choiceItems> {
  return choiceItems({
    answers: scores.map((score, i) => [score, greedy[i] ?? false] as const),
    choices,
    gold,
    multipleTarget: multiple,
    metrics: new Set(metrics),
  })
}

describe('choices', () => {
  test('of equal ones the first is taken, and NaN before all, as by NumPy’s argmax', () => {
    const two = ['a', 'b']
    expect(itemsOf([-1, -1], two, { gold: 0 }).items).toEqual({ acc: 1, acc_norm: 1, acc_bytes: 1 })
    expect(itemsOf([-1, -1], two, { gold: 1 }).items).toEqual({ acc: 0, acc_norm: 0, acc_bytes: 0 })
    expect(itemsOf([-1, NaN], two, { gold: 1 }).items).toEqual({ acc: 1, acc_norm: 1, acc_bytes: 1 })
  })

  test('are as long as Python’s len, and as their bytes in UTF-8', () => {
    // per code point −6/2 = −3 against −10/3 = −3.33; per UTF-16 unit −1.5 against −3.33; per byte −0.75 and −3.33
    expect(itemsOf([-6, -10], ['😀😀', 'abc'], { gold: 0 }).items).toEqual({ acc: 1, acc_norm: 1, acc_bytes: 1 })
    // per code point −8/2 = −4 against −3.33; per UTF-16 unit −2; per byte −1
    expect(itemsOf([-8, -10], ['😀😀', 'abc'], { gold: 0 }).items).toEqual({ acc: 1, acc_norm: 0, acc_bytes: 1 })
    // per byte −6/4 = −1.5 against −10/8 = −1.25
    expect(itemsOf([-6, -10], ['😀', 'abcdefgh'], { gold: 0 }).items).toEqual({ acc: 1, acc_norm: 0, acc_bytes: 0 })
  })

  test('a gold that is none of them counts as wrong, and is said', () => {
    expect(itemsOf([-1, -2], ['a', 'b'], { gold: 2 })).toMatchObject({ invalidGold: true, items: { acc: 0 } })
    expect(itemsOf([-1, -2], ['a', 'b'], { gold: 'c' })).toMatchObject({ invalidGold: true, items: { acc: 0 } })
    expect(itemsOf([-1, -2], ['a', 'b'], { gold: 'a' })).toMatchObject({ invalidGold: false, items: { acc: 1 } })
    const some = itemsOf([-1, -2], ['a', 'b'], { gold: [0, 2], multiple: true })
    expect(some).toMatchObject({ invalidGold: true, items: { acc: 1 } })
  })

  test('several golds: any of them is right, and any that is written greedily', () => {
    const asked = { metrics: ['acc', 'exact_match'], multiple: true }
    expect(
      itemsOf([-2, -1, -3], ['a', 'b', 'c'], { ...asked, gold: [0, 1], greedy: [false, false, true] }).items,
    ).toEqual({
      acc: 1,
      exact_match: 0,
    })
    expect(
      itemsOf([-2, -1, -3], ['a', 'b', 'c'], { ...asked, gold: [0, 2], greedy: [false, false, true] }).items,
    ).toEqual({
      acc: 0,
      exact_match: 1,
    })
  })

  test('information shared with the question is the score less that of the choice alone', () => {
    // −1 − (−1) = 0 against −2 − (−4) = 2
    const { items } = itemsOf([-1, -2, -1, -4], ['a', 'b'], { gold: 1, metrics: ['acc', 'acc_mutual_info'] })
    expect(items).toEqual({ acc: 0, acc_mutual_info: 1 })
  })

  test('probabilities are those of the scores', () => {
    const { items } = itemsOf([Math.log(1), Math.log(3)], ['a', 'b'], {
      gold: 1,
      metrics: ['brier_score', 'likelihood'],
    })
    expect(items['likelihood']).toEqual([1, [0, Math.log(3)]])
    const [gold, shares] = items['brier_score'] as unknown as [number, number[]]
    expect(gold).toBe(1)
    expect(shares[0]).toBeCloseTo(0.25, 14)
    expect(shares[1]).toBeCloseTo(0.75, 14)
  })
})

test('one continuation: its score, and whether it is the greedy one', () => {
  expect(continuationItems([-2.5, true], new Set(['perplexity', 'acc']))).toEqual({ perplexity: -2.5, acc: 1 })
  expect(continuationItems([-2.5, false], new Set(['acc']))).toEqual({ acc: 0 })
})

test('a rolling text has its words, empty pieces too, and its bytes', () => {
  // re.split(r"\s+", " é b") has three pieces; the text has five bytes
  const names = new Set(['word_perplexity', 'byte_perplexity'])
  expect(rollingItems(-3, ' é b', names)).toEqual({ word_perplexity: [-3, 3], byte_perplexity: [-3, 5] })
})
