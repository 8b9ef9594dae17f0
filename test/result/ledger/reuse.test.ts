import { describe, expect, test } from 'vitest'
import { fault } from '#core'
import { makeFingerprint, mergeResults, overwriteStrategies, reuse, type FingerprintParts } from '#result/ledger'
import { sampleFailure, sampleResult } from './made-results.ts'

const wanted = { fingerprint: '9c41', selection: { test: ['en-en'] } }
/** As version 0.1.0 wrote it: equal, but for what its fingerprint covers. */
const { fingerprint_version: _version, ...older } = sampleResult().strata
const ofOlder = { ...sampleResult(), strata: older }
const more = { fingerprint: '9c41', selection: { test: ['en-en', 'es-es'], dev: ['en-en'] } }
const path = 'STS17.json'
const foreign = {
  task_name: 'STS17',
  scores: { test: [{ main_score: 0.7, hf_subset: 'en-en', languages: ['eng-Latn'] }] },
}

describe('reuse', () => {
  test.each([
    // what lies there, wanted, strategy → run, reuse, reason
    ['nothing', undefined, wanted, 'always', true, false, /always/],
    ['nothing', undefined, wanted, 'never', true, false, /no result yet/],
    ['nothing', undefined, wanted, 'only-missing', true, false, /no result yet/],
    ['nothing', undefined, wanted, 'only-cache', false, false, /only-cache/],
    ['the same', sampleResult(), wanted, 'always', true, false, /always/],
    ['the same', sampleResult(), wanted, 'never', false, true, /same inputs/],
    ['the same', sampleResult(), wanted, 'only-missing', false, true, /same inputs/],
    ['the same', sampleResult(), wanted, 'only-cache', false, true, /same inputs/],
    ['an older fingerprint', ofOlder, wanted, 'only-missing', true, false, /left out.*config\.json/],
    ['an older fingerprint', ofOlder, wanted, 'never', false, false, /left out.*never/],
    [
      'other inputs',
      sampleResult({ strata: { fingerprint: 'aa' } }),
      wanted,
      'never',
      false,
      false,
      /other inputs.*never/,
    ],
    [
      'other inputs',
      sampleResult({ strata: { fingerprint: 'aa' } }),
      wanted,
      'only-missing',
      true,
      false,
      /other inputs/,
    ],
    [
      'other inputs',
      sampleResult({ strata: { fingerprint: 'aa' } }),
      wanted,
      'only-cache',
      false,
      false,
      /other inputs/,
    ],
    [
      'other inputs, where nothing is known of those wanted',
      sampleResult(),
      { fingerprint: '' },
      'only-missing',
      true,
      false,
      /other inputs/,
    ],
    ['a part', sampleResult(), more, 'never', false, false, /missing test: es-es; dev: en-en.*never/],
    ['a part', sampleResult(), more, 'only-missing', true, true, /missing test: es-es; dev: en-en/],
    ['a part', sampleResult(), more, 'only-cache', false, false, /only-cache/],
    ["mteb's file", foreign, wanted, 'only-missing', true, false, /no fingerprint/],
    ["mteb's file", foreign, wanted, 'never', false, false, /no fingerprint/],
    ['a failure', sampleFailure(), wanted, 'only-missing', true, false, /failed before \(task\.empty\)/],
    ['a failure', sampleFailure(), wanted, 'never', true, false, /failed before/],
    ['a failure', sampleFailure(), wanted, 'only-cache', false, false, /failed before/],
    [
      'a broken file',
      { path, fault: fault('format.json', { place: path, what: 'ends early' }) },
      wanted,
      'only-missing',
      true,
      false,
      /cannot be used \(.*ends early\)/,
    ],
    [
      'a broken file',
      { path, fault: fault('format.json', { place: path, what: 'ends early' }) },
      wanted,
      'never',
      false,
      false,
      /cannot be used/,
    ],
  ] as const)('%s, strategy: %#', (_, found, asked, strategy, run, used, reason) => {
    expect(reuse(found, asked, strategy)).toMatchObject({
      run,
      reuse: used,
      reason: expect.stringMatching(reason) as string,
    })
  })

  test('looks for a subset in its own split', () => {
    const asked = { fingerprint: '9c41', selection: { dev: ['en-en'] } }
    expect(reuse(sampleResult(), asked, 'only-missing').missing).toEqual({ dev: ['en-en'] })
  })

  test('says what is missing', () => {
    expect(reuse(sampleResult(), more, 'only-missing').missing).toEqual({ test: ['es-es'], dev: ['en-en'] })
    expect(reuse({ path, result: sampleResult() }, { fingerprint: '9c41' }, 'only-missing')).toEqual({
      run: false,
      reuse: true,
      reason: 'same inputs',
    })
  })

  test("knows mteb's strategies", () => {
    expect(overwriteStrategies).toEqual(['always', 'never', 'only-missing', 'only-cache'])
  })
})

describe('merging', () => {
  const entry = (subset: string, score: number) => ({ main_score: score, hf_subset: subset, languages: ['eng-Latn'] })

  const made = (subset: string, score: number) => ({ ...entry(subset, score), mteb_version: '2.26.24' })

  test('adds splits and subsets, replaces what is there, sums times, keeps the later date', () => {
    const old = sampleResult({
      scores: { test: [entry('a', 0.1), entry('b', 0.2)] },
      evaluation_time: 1,
      date: 20,
      strata: { seconds: 1 },
    })
    const fresh = sampleResult({
      scores: { test: [entry('c', 0.3), entry('b', 0.25)], dev: [entry('a', 0.4)] },
      evaluation_time: 2,
      date: 10,
      strata: { seconds: 2, version: '0.2.0' },
    })
    const merged = mergeResults(old, fresh)
    expect(merged.scores).toEqual({ test: [made('a', 0.1), made('b', 0.25), made('c', 0.3)], dev: [made('a', 0.4)] })
    expect(merged).toMatchObject({
      evaluation_time: 3,
      date: 20,
      mteb_version: '2.26.24',
      strata: { seconds: 3, version: '0.2.0' },
    })
  })

  test('versions that differ become a range, and stay beside their subsets', () => {
    const old = sampleResult({ mteb_version: '2.9.0', scores: { test: [entry('a', 0.1)] } })
    const fresh = sampleResult({ scores: { test: [entry('b', 0.2)] } })
    const merged = mergeResults(old, fresh)
    expect(merged.mteb_version).toBe('2.9.0-2.26.24')
    expect(merged.scores?.['test']).toEqual([
      { ...entry('a', 0.1), mteb_version: '2.9.0' },
      { ...entry('b', 0.2), mteb_version: '2.26.24' },
    ])
    const again = mergeResults(merged, sampleResult({ mteb_version: '2.30.1', scores: { test: [entry('a', 0.3)] } }))
    expect(again.mteb_version).toBe('2.26.24-2.30.1')
  })

  test('what came before a version is below it, and makes a range with it', () => {
    // packaging.version: 2.9.0.dev1 < 2.9.0
    const old = sampleResult({ mteb_version: '2.9.0', scores: { test: [entry('a', 0.1)] } })
    const fresh = sampleResult({ mteb_version: '2.9.0.dev1', scores: { test: [entry('b', 0.2)] } })
    expect(mergeResults(old, fresh).mteb_version).toBe('2.9.0.dev1-2.9.0')
  })

  test('keeps the notices of both, each once', () => {
    const old = sampleResult({ strata: { notices: ['one', 'both'] } })
    const fresh = sampleResult({ strata: { notices: ['both', 'two'] } })
    expect(mergeResults(old, fresh).strata.notices).toEqual(['one', 'both', 'two'])
    expect('notices' in mergeResults(sampleResult(), sampleResult()).strata).toBe(false)
  })

  test.each([{ task_name: 'STS12' }, { dataset_revision: 'other' }, { strata: { fingerprint: 'other' } }])(
    'does not mix %j',
    (changes) => {
      expect(() => mergeResults(sampleResult(), sampleResult(changes))).toThrow(
        expect.objectContaining({ code: 'result.invalid' }) as Error,
      )
    },
  )

  test('does not touch its arguments', () => {
    const old = sampleResult({ scores: { test: [entry('a', 0.1)] } })
    mergeResults(old, sampleResult({ mteb_version: '3.0.0', scores: { test: [entry('b', 0.2)] } }))
    expect(old.scores).toEqual({ test: [entry('a', 0.1)] })
  })
})

describe('the fingerprint', () => {
  const parts: FingerprintParts = {
    model: { tensors: 't', spec: 's', tokenizer: 'k', modules: 'm' },
    reading: { maxLength: 256 },
    settings: { pooling: 'mean', maxLength: 256, prompt: null },
    representation: 'h3',
    task: { name: 'STS17' },
    data: 'r',
    profile: 'mteb-2',
    arithmetic: '1',
  }

  test('is the same whatever the order of keys', () => {
    expect(makeFingerprint({ ...parts, settings: { prompt: null, maxLength: 256, pooling: 'mean' } })).toBe(
      makeFingerprint(parts),
    )
    expect(makeFingerprint(parts)).toMatch(/^[0-9a-f]{64}$/)
  })

  test.each([
    { model: { ...parts.model, spec: 'x' } },
    { reading: { maxLength: 255 } },
    { settings: { ...parts.settings, maxLength: 128 } },
    { settings: { ...parts.settings, prompt: '' } },
    { representation: 'h4' },
    { task: { name: 'STS12' } },
    { data: 'x' },
    { profile: 'mteb-1' as const },
    { arithmetic: '2' },
  ])('changes with %j', (change) => {
    expect(makeFingerprint({ ...parts, ...change })).not.toBe(makeFingerprint(parts))
  })
})
