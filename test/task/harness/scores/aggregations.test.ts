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
