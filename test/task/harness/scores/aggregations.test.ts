import { describe, expect, test } from 'vitest'
import { bleu } from '../../../../src/task/text-metrics/bleu.ts'
import type { BleuWords } from '../../../../src/task/text-metrics/bleu-words.ts'
import { scoreAt } from '../../../../src/task/text-metrics/corpus-metric.ts'
import { aggregationNamed, aggregations } from '../../../../src/task/harness/scores/aggregations.ts'
import { standardError } from '../../../../src/task/harness/scores/standard-error.ts'
import { goldenOf } from '../../../golden-of.ts'

interface Case {
  readonly predictions: readonly string[]
  readonly references: readonly (readonly string[])[]
  readonly scores: Readonly<Record<string, number>>
}
interface Golden {
  readonly cases: readonly Case[]
  readonly errors: readonly ({ readonly case: number } & Readonly<Record<'bleu' | 'chrf' | 'chrf++' | 'ter', number>>)[]
}
const { cases, errors } = goldenOf<Golden>('task/harness', 'corpus-scores')
const itemsOf = ({ predictions, references }: Case): (readonly [readonly string[], string])[] =>
  references.map((own, i) => [own, predictions[i] ?? ''] as const)

// sums of a dozen terms in another order, and exp and log of another library
const digits = 9

describe('scores of corpora are those of sacreBLEU', () => {
  test.each(['chrf', 'chrf++', 'ter'])('%s', (name) => {
    const own = cases.map((one) => aggregationNamed(name, 'test').run(itemsOf(one)))
    for (const [i, { scores }] of cases.entries()) expect(own[i]).toBeCloseTo(scores[name] ?? NaN, digits)
  })

  test.each(['13a', 'intl', 'zh', 'char', 'none'] satisfies BleuWords[])('BLEU of words by %s', (words) => {
    for (const one of cases)
      expect(ofCorpus(bleu({ words }), one)).toBeCloseTo(one.scores[`bleu ${words}`] ?? NaN, digits)
  })

  test('BLEU of the orders that are there', () => {
    for (const one of cases)
      expect(ofCorpus(bleu({ effectiveOrder: true }), one)).toBeCloseTo(one.scores['bleu effective'] ?? NaN, digits)
  })

  test.each(['bleu', 'chrf', 'chrf++', 'ter'] as const)('the error of %s, draw for draw', (name) => {
    expect(errors.length).toBeGreaterThan(1)
    for (const error of errors) {
      const one = cases[error.case]
      expect(standardError(one === undefined ? [] : itemsOf(one), aggregationNamed(name, 'test'), 100)).toBeCloseTo(
        error[name],
        digits,
      )
    }
  })
})

function ofCorpus(metric: ReturnType<typeof bleu>, { predictions, references }: Case): number {
  const statistics = predictions.map((text, i) => metric.statistics(text, references[i] ?? []))
  return scoreAt(
    metric,
    statistics,
    predictions.map((_, i) => i),
  )
}

describe('errors', () => {
  const fifths = [0.1, 0.2, 0.3, 0.4, 0.5].map(Math.log)

  // lm-evaluation-harness 0.4.13, `bootstrap_stderr(perplexity, …)`; sums of 5 in another order move the last digit
  test.each([
    [2000, 1.083218628656773],
    [100, 1.018299826639627],
  ])('of a perplexity after %d draws', (draws, want) =>
    expect(standardError(fifths, aggregationNamed('perplexity', 'test'), draws)).toBeCloseTo(want, 12),
  )

  test('there is none of one document, of no draws, of a number that has none', () => {
    const { mean, perplexity, brier_score: brier } = aggregations
    expect(mean && standardError([1], mean, 10)).toBeUndefined()
    expect(perplexity && standardError(fifths, perplexity, 0)).toBeUndefined()
    expect(
      brier &&
        standardError(
          [
            [0, [1, 0]],
            [1, [1, 0]],
          ],
          brier,
          10,
        ),
    ).toBeUndefined()
  })

  test('an aggregation that is written twice gives one number', () => {
    const places = [4, 4, 0, 2, 1]
    const { perplexity } = aggregations
    expect(perplexity?.drawn?.(fifths)(places)).toBe(perplexity?.run(places.map((at) => fifths[at] ?? NaN)))
  })
})

test('an unknown aggregation is refused, and the nearest shown', () => {
  expect(() => aggregationNamed('perplexty', 'test')).toThrow(
    expect.objectContaining({ code: 'usage.value', hint: expect.stringContaining('perplexity') as string }),
  )
})

// by hand, from api/metrics.py of lm-evaluation-harness 0.4.13 and the definitions of scikit-learn that it calls
describe('numbers of a few documents', () => {
  const of = (name: string, items: Parameters<(typeof aggregations)[string]['run']>[0]): number =>
    aggregationNamed(name, 'test').run(items)

  test('a median is the upper of the middle two', () => {
    expect([of('median', [3, 1, 2, 10]), of('median', [5, 1, 3])]).toEqual([3, 3])
  })

  test('a mean without NaN leaves them out', () => {
    expect([of('nanmean', [1, NaN, 0]), of('nanmean', [NaN, NaN])]).toEqual([0.5, NaN])
    expect(of('mean', [1, NaN, 0])).toBeNaN()
  })

  test('of weighted ones both sums count: as a perplexity, and in bits', () => {
    const items = [
      [-4, 1],
      [-8, 3],
    ]
    expect(of('weighted_perplexity', items)).toBeCloseTo(Math.exp(3), 12)
    expect(of('bits_per_byte', items)).toBeCloseTo(3 / Math.LN2, 12)
  })

  test('F1 is of class 1, and 0 where nothing is', () => {
    const pairs = [
      [1, 1],
      [0, 1],
      [1, 0],
      [1, 1],
      [0, 0],
    ]
    // 2 right, 1 too many, 1 missed
    expect(of('f1', pairs)).toBeCloseTo(4 / 6, 15)
    expect(of('f1', [[0, 0]])).toBe(0)
    expect(() => of('f1', [[2, 1]])).toThrow(expect.objectContaining({ code: 'task.value' }))
  })

  test('Matthews’s coefficient of two classes, and of three', () => {
    // (2 · 1 − 1 · 1) / √(3 · 3 · 2 · 2)
    const two = [
      [1, 1],
      [0, 1],
      [1, 0],
      [1, 1],
      [0, 0],
    ]
    expect(of('matthews_corrcoef', two)).toBeCloseTo(1 / 6, 15)
    // golds 2 1 1, predictions 1 2 1, 3 right of 4: (3 · 4 − (2 + 2 + 1)) / √((16 − 6) · (16 − 6))
    const three = [
      [0, 0],
      [0, 1],
      [1, 1],
      [2, 2],
    ]
    expect(of('matthews_corrcoef', three)).toBeCloseTo((3 * 4 - 5) / 10, 15)
    // golds 2 2, predictions 3 1
    const uneven = [
      [0, 0],
      [0, 0],
      [1, 0],
      [1, 1],
    ]
    expect(of('matthews_corrcoef', uneven)).toBeCloseTo((3 * 4 - (6 + 2)) / Math.sqrt((16 - 8) * (16 - 10)), 15)
    expect(of('matthews_corrcoef', [[1, 1]])).toBe(0)
  })

  test('Brier’s score counts a gold from the end where it is negative', () => {
    const [right, wrong] = [0.25 ** 2 + 0.25 ** 2, 0.75 ** 2 + 0.75 ** 2]
    expect(of('brier_score', [[1, [0.25, 0.75]]])).toBeCloseTo(right, 15)
    expect(of('brier_score', [[-2, [0.25, 0.75]]])).toBeCloseTo(wrong, 15)
    // no choice at all
    expect(of('brier_score', [[-100, [0.25, 0.75]]])).toBeCloseTo(0.25 ** 2 + 0.75 ** 2, 15)
  })

  test('errors: of a mean in closed form, of others by chunks of a thousand draws that are whole', () => {
    const { mean, median } = aggregations
    // √(0.25 · 4 / 3) / √4
    expect(mean && standardError([1, 0, 1, 0], mean, 1)).toBeCloseTo(Math.sqrt(1 / 3) / 2, 15)
    // CPython 3.11: `sample_stddev` of the medians of `Random(i).choices`, i = 0 and 1; the last 500 draws are none
    for (const draws of [2000, 2500])
      expect(median && standardError([3, 1, 2, 10], median, draws)).toBeCloseTo(3.3717209257292713, 12)
  })
})
