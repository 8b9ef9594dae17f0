import { describe, expect, test } from 'vitest'
import { resultDocument, scoreMeans } from '#result/ledger'
import { sampleFailure, sampleResult } from './made-results.ts'

// Python 3.11.7: [x, round(x, 6)]; the halves 1/128, 3/128 … are exact in binary, 0.1234565 and 2.5e-6 are not
const python = [
  [0.0078125, 0.007812],
  [0.0234375, 0.023438],
  [-0.0078125, -0.007812],
  [0.0390625, 0.039062],
  [0.9921875, 0.992188],
  [1.0078125, 1.007812],
  [0.6666666666666666, 0.666667],
  [-0.6666666666666666, -0.666667],
  [1e-7, 0],
  [5e-7, 0],
  [1.5e-6, 2e-6],
  [2.5e-6, 3e-6],
  [3.5e-6, 3e-6],
  [0.1234565, 0.123456],
  [0.1234575, 0.123457],
  [0.9999995, 1],
  [0.99999949999, 0.999999],
  [123456.7890125, 123456.789012],
  [1048576.0078125, 1048576.007812],
  [1048576.0234375, 1048576.023438],
  [6955.3359375, 6955.335938],
  [968.4765625, 968.476562],
  [2028.3828125, 2028.382812],
  [0.32383276483316237, 0.323833],
  [1e20, 1e20],
] as const

describe('means of a task', () => {
  const part = (hf_subset: string, main_score: number | null, ...languages: string[]) => ({
    hf_subset,
    main_score,
    languages,
  })

  test('are over every part, and over those in English alone', () => {
    const test = [part('en', 0.8, 'eng-Latn'), part('de', 0.5, 'deu-Latn'), part('en-de', 0.2, 'eng-Latn', 'deu-Latn')]
    expect(scoreMeans({ test, dev: [part('en', 0.6, 'eng-Latn')] })).toEqual({ all: 0.525, english: 0.7 })
  })

  test('are none as soon as a part has no score, and where there is no part', () => {
    expect(scoreMeans({ test: [part('en', 0.8, 'eng-Latn'), part('de', null, 'deu-Latn')] })).toEqual({
      all: null,
      english: 0.8,
    })
    expect(scoreMeans({ test: [part('en', null, 'eng-Latn')] })).toEqual({ all: null, english: null })
    expect(scoreMeans({})).toEqual({ all: null, english: null })
  })

  test('a part whose languages are not known is not in English', () => {
    expect(scoreMeans({ test: [part('default', 0.5)] })).toEqual({ all: 0.5, english: null })
  })
})

const subset = { hf_subset: 'default', languages: ['eng-Latn'] }

describe('the document of a result', () => {
  test.each(python)('rounds %d to %d as Python does', (value, rounded) => {
    const document = resultDocument(sampleResult({ scores: { test: [{ main_score: value, ...subset }] } }))
    expect(document.scores?.['test']?.[0]?.main_score).toBe(rounded)
  })

  test('rounds in lists and objects, keeps integers, writes null for what is no number', () => {
    const scores = {
      test: [
        { main_score: Number.NaN, ...subset, n: 12345678, list: [1 / 3, Infinity, { deep: 2 / 3 }], text: '0.1234567' },
      ],
    }
    expect(resultDocument(sampleResult({ scores })).scores).toEqual({
      test: [
        { main_score: null, ...subset, n: 12345678, list: [0.333333, null, { deep: 0.666667 }], text: '0.1234567' },
      ],
    })
  })

  test('has the keys of mteb in the order of mteb, and ours last', () => {
    expect(Object.keys(resultDocument(sampleResult()))).toEqual([
      'dataset_revision',
      'task_name',
      'mteb_version',
      'scores',
      'evaluation_time',
      'kg_co2_emissions',
      'date',
      'strata',
    ])
    expect(Object.keys(resultDocument(sampleFailure()))).toEqual(['task_name', 'strata'])
  })

  test("fills in what mteb's loader insists on", () => {
    const { scores, strata, task_name } = sampleResult({ strata: { profile: 'mteb-1', seconds: 3 } })
    expect(resultDocument({ task_name, ...(scores === undefined ? {} : { scores }), strata })).toMatchObject({
      dataset_revision: 'no_revision_available',
      mteb_version: '2.26.24',
      evaluation_time: 3,
      kg_co2_emissions: null,
    })
  })

  test.each([{}, { test: [] }])('a finished result with the scores %j is none', (scores) => {
    expect(() => resultDocument(sampleResult({ scores }))).toThrow(
      expect.objectContaining({ code: 'result.invalid' }) as Error,
    )
  })
})
