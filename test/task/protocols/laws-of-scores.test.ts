import * as fc from 'fast-check'
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { compareCodePoints, compensatedMean } from '#core'
import { randomState } from '#platform/random'
import { abstentionArea, confidences, ordered } from '../../../src/task/protocols/abstention.ts'
import { averagePrecision, classScores } from '../../../src/task/protocols/confusion.ts'
import { roundHalfEven } from '#platform/python'
import { topDocuments, type TopDocuments } from '../../../src/task/protocols/top-documents.ts'
import { rankingScores } from '../../../src/task/protocols/trec.ts'
import { undersample } from '#task/rows'
import { shared, sharedPath } from '../../shared.ts'

const holds = <Values>(property: fc.IProperty<Values>): void => fc.assert(property, { seed: 1 })

describe('rounding as Python rounds', () => {
  test.each([
    [0.015625, 5, 0.01562], // an exact half: to the even digit
    [0.046875, 5, 0.04688],
    [0.5, 0, 0],
    [1.5, 0, 2],
    [2.5, 0, 2],
    [0.123455, 5, 0.12345], // below the half in binary
    [0.123465, 5, 0.12347],
    [2.675, 2, 2.67],
    [-0.015625, 5, -0.01562],
    [0.6450812345, 5, 0.64508],
    [1, 5, 1],
    [0, 5, 0],
  ])('round(%d, %d) is %d', (value, digits, want) => expect(roundHalfEven(value, digits)).toBe(want))
  test('is never further away than half a unit', () =>
    holds(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (value) => {
        expect(Math.abs(roundHalfEven(value, 5) - value)).toBeLessThanOrEqual(0.5e-5 + 1e-16)
      }),
    ))
  test('the mean keeps what a plain sum loses', () => expect(compensatedMean([1e16, 1, -1e16, 1])).toBe(0.5))
})

describe('the best documents', () => {
  const rankedBy = (scores: readonly number[], ids: readonly string[], barred: ReadonlySet<number> = new Set()) =>
    scores
      .map((score, i) => ({ score, i }))
      .filter(({ i }) => !barred.has(i))
      .sort((a, b) => b.score - a.score || compareCodePoints(ids[b.i] ?? '', ids[a.i] ?? ''))
  const idsOf = (scores: readonly number[]): string[] => scores.map((_, i) => `${(i * 7) % 11}-${i}`)
  const madeScores = (most: number, maxLength: number): fc.Arbitrary<number[]> =>
    fc.array(
      fc.integer({ min: -most, max: most }).map((score) => Math.fround(score / 7)),
      { minLength: 1, maxLength },
    )
  const plain = ({ documents, scores }: ReturnType<TopDocuments['ranking']>) =>
    Array.from(documents, (i, rank) => ({ score: scores[rank], i }))

  test('are those of a full sort by (score, id), in whatever order they are offered', () =>
    holds(
      fc.property(
        madeScores(4, 60),
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: 0, max: 1000 }),
        (scores, depth, seed) => {
          const ids = idsOf(scores)
          const top = topDocuments(1, ids, depth)
          for (const i of randomState(seed).permutation(scores.length)) top.offer(0, i, scores[i] ?? 0)
          expect(plain(top.ranking(0))).toEqual(rankedBy(scores, ids).slice(0, depth))
        },
      ),
    ))

  test('are the same in blocks, with documents barred, for two queries, and after a save between blocks', () =>
    holds(
      fc.property(
        madeScores(4, 80).chain((first) =>
          fc.tuple(
            fc.constant(first),
            madeScores(400, first.length).map((own) => first.map((_, i) => own[i % own.length] ?? 0)),
          ),
        ),
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: 1, max: 80 }),
        fc.uniqueArray(fc.integer({ min: 0, max: 79 }), { maxLength: 30 }),
        ([first, second], depth, block, left) => {
          const ids = idsOf(first)
          const barred = new Set(left)
          let top = topDocuments(2, ids, depth)
          for (let start = 0; start < ids.length; start += block) {
            const end = Math.min(start + block, ids.length)
            top.offerBlock(0, start, Float32Array.from(first.slice(start, end)), barred)
            top.offerBlock(1, start, Float32Array.from(second.slice(start, end)))
            const next = topDocuments(2, ids, depth)
            expect(next.restore(top.save())).toBe(true)
            top = next
          }
          expect(plain(top.ranking(0))).toEqual(rankedBy(first, ids, barred).slice(0, depth))
          expect(plain(top.ranking(1))).toEqual(rankedBy(second, ids).slice(0, depth))
        },
      ),
    ))

  test('are put in order where they were saved in another, as earlier versions did', () => {
    const ids = ['a', 'b', 'c', 'd']
    // sizes behind documents behind scores
    const saved = Buffer.concat([
      Buffer.from(Float32Array.of(1, 2, 2, 5, 0, 0).buffer),
      Buffer.from(Int32Array.of(0, 1, 3, 2, 0, 0).buffer),
      Buffer.from(Int32Array.of(3, 1).buffer),
    ])
    const top = topDocuments(2, ids, 3)
    expect(top.restore(saved)).toBe(true)
    expect(top.ranking(0)).toEqual({ documents: Int32Array.of(3, 1, 0), scores: Float32Array.of(2, 2, 1) })
    expect(top.ranking(1)).toEqual({ documents: Int32Array.of(2), scores: Float32Array.of(5) })
  })
})

describe('rankings', () => {
  test('a perfect ranking scores 1 at every depth that can hold it', () => {
    const grades = new Map([
      ['a', 3],
      ['b', 2],
      ['c', 1],
    ])
    const { ndcg, map, recall } = rankingScores(['a', 'b', 'c', 'x'], grades, [3, 10])
    expect([ndcg, map, recall]).toEqual([
      [1, 1],
      [1, 1],
      [1, 1],
    ])
  })
  test('a grade below 1 counts as gain, not as a hit', () => {
    const grades = new Map([
      ['a', 0.5],
      ['b', 1],
    ])
    const { ndcg, precision, mrr } = rankingScores(['a', 'b'], grades, [1, 2])
    const best = 1 + 0.5 / Math.log2(3)
    expect(ndcg).toEqual([0.5, (0.5 + 1 / Math.log2(3)) / best])
    expect([precision, mrr]).toEqual([
      [0, 0.5],
      [0, 0.5],
    ])
  })
  test('a query without relevant documents scores 0', () => {
    const {
      ndcg,
      map,
      recall,
      precision,
      hit_rate: hitRate,
      mrr,
    } = rankingScores(
      ['a'],
      new Map([
        ['a', 0],
        ['b', -1],
      ]),
      [1],
    )
    expect([ndcg, map, recall, precision, hitRate, mrr]).toEqual([[0], [0], [0], [0], [0], [0]])
  })
  test('measures lie in [0, 1] and recall never falls with depth', () =>
    holds(
      fc.property(
        fc.uniqueArray(fc.integer({ min: 0, max: 30 }), { maxLength: 20 }),
        fc.array(fc.tuple(fc.integer({ min: 0, max: 30 }), fc.integer({ min: -1, max: 3 })), { minLength: 1 }),
        (ranking, judged) => {
          const scores = rankingScores(
            ranking.map(String),
            new Map(judged.map(([document, grade]) => [String(document), grade])),
            [1, 3, 10, 100],
          )
          for (const values of Object.values(scores) as number[][])
            for (const value of values) expect(value >= 0 && value <= 1 + 1e-12).toBe(true)
          for (const values of [scores.recall, scores.hit_rate, scores.mrr])
            expect([...values]).toEqual([...values].sort((a, b) => a - b))
        },
      ),
    ))
})

describe('abstention', () => {
  test('is 1 when confidence follows the metric, 0 for a metric that does not vary', () => {
    const metric = ordered(Float64Array.from({ length: 20 }, (_, i) => i / 20))
    expect(abstentionArea(metric, metric, 'mteb-2')).toBe(1)
    expect(abstentionArea(metric, ordered(new Float64Array(20).fill(0.5)), 'mteb-2')).toBeNull()
  })
  test('equal confidences share their metric in 2.26 and count in order before', () => {
    const metric = ordered(Float64Array.of(0, 1, 0, 1))
    const equal = ordered(new Float64Array(4))
    expect(abstentionArea(equal, metric, 'mteb-2')).toBe(0)
    expect(abstentionArea(equal, metric, 'mteb-1')).not.toBe(0)
  })
  test('a query without documents is not confident', () => {
    const { max, std, diff1 } = confidences([new Float32Array(0), Float32Array.of(0.5)])
    expect([max, std, diff1].map(({ values }) => Array.from(values))).toEqual([
      [0, 0.5],
      [0, 0],
      [0, 0],
    ])
  })
})

describe('classes', () => {
  test('perfect predictions score 1, and a class nobody predicts counts 0', () => {
    expect(classScores([0, 1, 2], [0, 1, 2], 3)).toMatchObject({ accuracy: 1, f1: 1, recall_weighted: 1 })
    expect(classScores([0, 0, 1], [0, 0, 0], 2)).toMatchObject({ recall: 0.5, f1: 0.4 })
  })
  test('average precision of hard labels is R·P + (1 − R)·prevalence', () =>
    holds(
      fc.property(fc.array(fc.tuple(fc.boolean(), fc.boolean()), { minLength: 2, maxLength: 40 }), (pairs) => {
        const positive = pairs.map(([is]) => is)
        if (!positive.some(Boolean) || !pairs.some(([, says]) => says)) return
        const hits = pairs.filter(([is, says]) => is && says).length
        const [recall, precision] = [
          hits / positive.filter(Boolean).length,
          hits / pairs.filter(([, says]) => says).length,
        ]
        const prevalence = positive.filter(Boolean).length / pairs.length
        const want = recall * precision + (1 - recall) * prevalence
        expect(
          averagePrecision(
            positive,
            pairs.map(([, says]) => Number(says)),
          ),
        ).toBeCloseTo(want, 12)
      }),
    ))
})

describe('few-shot samples', () => {
  test('hold each label as often as asked, and differ between experiments', () =>
    holds(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 8, maxLength: 60 }),
        fc.integer({ min: 1, max: 4 }),
        (labels, perLabel) => {
          for (const sample of undersample(labels, { perLabel, experiments: 3 })) {
            expect(new Set(sample).size).toBe(sample.length)
            for (const label of new Set(labels)) {
              expect(sample.filter((row) => labels[row] === label)).toHaveLength(
                Math.min(perLabel, labels.filter((own) => own === label).length),
              )
            }
          }
        },
      ),
    ))
})

describe.skipIf(!shared)('vectors of specs/mteb_test_vectors.json', () => {
  interface Vectors {
    undersample: { labels: number[]; samples_per_label: number; selected_rows_in_order_experiments_1_to_3: number[][] }
    average_precision_ties: { labels: number[]; scores: number[]; ap: number }
    f1_union_labels: { true: number[]; pred: number[]; macro: number; weighted: number }
    logreg_binary: { true: number[]; pred: number[]; ap_hard: number; f1_macro: number; f1_weighted: number }
    retrieval_derived: {
      qrels: Record<string, Record<string, number>>
      per_query: Record<string, Record<string, number | string[]>>
    }
  }
  const vectors = () => JSON.parse(readFileSync(sharedPath('specs', 'mteb_test_vectors.json'), 'utf8')) as Vectors

  test('the cumulative shuffle', () => {
    const {
      labels,
      samples_per_label: perLabel,
      selected_rows_in_order_experiments_1_to_3: want,
    } = vectors().undersample
    expect(undersample(labels, { perLabel, experiments: 3 })).toEqual(want)
  })
  test('average precision with ties', () => {
    const { labels, scores, ap } = vectors().average_precision_ties
    expect(averagePrecision(labels.map(Boolean), scores)).toBeCloseTo(ap, 14)
  })
  test('F1 over the union of labels', () => {
    const { true: truth, pred, macro, weighted } = vectors().f1_union_labels
    const scores = classScores(truth, pred, 4)
    expect([scores.f1, scores.f1_weighted]).toEqual([macro, weighted])
  })
  test('two classes', () => {
    const { true: truth, pred, ap_hard: ap, f1_macro: macro, f1_weighted: weighted } = vectors().logreg_binary
    const scores = classScores(truth, pred, 2)
    expect(averagePrecision(truth.map(Boolean), pred)).toBeCloseTo(ap, 12)
    expect(scores.f1).toBeCloseTo(macro, 12)
    expect(scores.f1_weighted).toBeCloseTo(weighted, 12)
  })
  test('rankings', () => {
    const { qrels, per_query: perQuery } = vectors().retrieval_derived
    for (const [query, want] of Object.entries(perQuery)) {
      const got = rankingScores(want['ranking'] as string[], new Map(Object.entries(qrels[query] ?? {})), [1, 3, 5, 10])
      for (const [c, cutoff] of [1, 3, 5, 10].entries()) {
        for (const [measure, field] of [
          ['ndcg', 'ndcg_cut'],
          ['map', 'map_cut'],
          ['recall', 'recall'],
          ['precision', 'P'],
        ] as const) {
          expect(got[measure][c], `${query} ${field}_${cutoff}`).toBeCloseTo(want[`${field}_${cutoff}`] as number, 14)
        }
      }
    }
  })
})
