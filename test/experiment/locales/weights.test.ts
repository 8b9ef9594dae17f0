// Weights of sources: the recorded ones of merginguriel, and the properties that its successor must have.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { languages, languageSimilarity, sinkhorn, sinkhornLegacy, sourceWeights, toLocale } from '#experiment/locales'
import { shared, sharedPath } from '../../shared.ts'

const known = await languages()
/** The recorded weights are of the locales that merginguriel's table of languages has; zh-TW overwrites zh-CN there. */
const recorded = [...known.values()].filter(({ locale }) => !['he-IL', 'sv-SE', 'zh-CN'].includes(locale))
const table = languageSimilarity(recorded)

describe('similarity of languages', () => {
  it('is the shifted cosine of their features, as recorded', () => {
    const row = table.values[table.targets.indexOf('sq-AL')] ?? []
    const of = (locale: string) => row[table.sources.indexOf(locale)]
    expect(['ro-RO', 'el-GR', 'pt-PT', 'pl-PL', 'sl-SL'].map((locale) => of(locale)?.toFixed(5))).toEqual([
      '0.96341',
      '0.95083',
      '0.95014',
      '0.94582',
      '0.94448',
    ])
  })

  it.skipIf(shared === undefined)('equals the published matrix of all 52', () => {
    const [head = '', ...lines] = readFileSync(sharedPath('data/uriel/language_similarity_matrix_unified.csv'), 'utf8')
      .trim()
      .split(/\r?\n/)
    const { targets, values } = languageSimilarity([...known.values()])
    expect(head.split(',').slice(1)).toEqual(targets)
    const published = lines.map((line) => line.split(',').slice(1).map(Number))
    // sums of up to 103 products of 0 and 1 in another order
    for (const [i, row] of values.entries())
      for (const [j, value] of row.entries()) expect(value).toBeCloseTo(published[i]?.[j] ?? NaN, 12)
  })

  it('leaves out what one of a pair lacks, and counts shared families', () => {
    const [a, b] = [known.get('af-ZA'), known.get('nl-NL')]
    if (a === undefined || b === undefined) throw new Error('no such locale')
    const { syntax_average: left } = a.features
    const both = left.map((value, i) => [value, b.features.syntax_average[i] ?? null] as const)
    const pairs = both.flatMap(([x, y]) => (x === null || y === null ? [] : [[x, y] as const]))
    expect(pairs.length).toBeLessThan(left.length)
    const norm = (side: 0 | 1) => Math.sqrt(pairs.reduce((sum, pair) => sum + pair[side] ** 2, 0))
    const cosine = pairs.reduce((sum, [x, y]) => sum + x * y, 0) / norm(0) / norm(1)
    expect(languageSimilarity([a, b], { set: 'syntax_average' }).values[0]?.[1]).toBeCloseTo((cosine + 1) / 2, 12)
    const shared = a.families.filter((name) => b.families.includes(name)).length
    expect(languageSimilarity([a, b], { set: 'fam' }).values[0]?.[1]).toBeCloseTo(
      (shared / Math.sqrt(a.families.length * b.families.length) + 1) / 2,
      12,
    )
  })
})

describe('weights of merginguriel', () => {
  const legacy = (target: string, topK: number) => {
    const zeroed = table.values.map((row, i) => row.map((value, j) => (i === j ? 0 : value)))
    const row = sinkhornLegacy(zeroed, { topK })[table.targets.indexOf(target)] ?? []
    return table.sources
      .map((source, j) => [source, row[j] ?? NaN] as const)
      .filter(([, weight]) => weight > 0)
      .toSorted(([, a], [, b]) => b - a)
  }
  it.each([
    ['sq-AL', 'sl-SL .43096, pl-PL .14462, ro-RO .09712, pt-PT .07781, el-GR .07435'],
    ['cy-GB', 'pl-PL .25215, ca-ES .15228, it-IT .14855, pt-PT .13549, el-GR .12999'],
    ['ja-JP', 'my-MM .47633, ko-KR .17872, ml-IN .10137, mn-MN .08422, kn-IN .08153'],
    ['en-US', 'nl-NL .31915, de-DE .17666, da-DK .17375, nb-NO .10117, ca-ES .05054'],
    ['de-DE', 'nl-NL .22917, en-US .22798, is-IS .17097, da-DK .12375, nb-NO .07096'],
  ])('are those recorded for %s, k = 5', (target, expected) => {
    const text = legacy(target, 5)
      .map(([source, weight]) => `${source} ${weight.toFixed(5).slice(1)}`)
      .join(', ')
    expect(text).toBe(expected)
  })
  it('are those recorded for k = 20', () => {
    const first = legacy('sq-AL', 20).slice(0, 5)
    expect(first.map(([source, weight]) => `${source} ${weight.toFixed(5)}`)).toEqual([
      'ar-SA 0.09523',
      'cy-GB 0.06474',
      'fi-FI 0.05547',
      'lv-LV 0.05193',
      'da-DK 0.04887',
    ])
  })
  it('are those of the small table', () => {
    const rows = [
      [0, 0.9, 0.8, 0],
      [0.9, 0, 0.7, 0],
      [0.8, 0.7, 0, 0],
      [0, 0.4, 0.6, 0],
    ]
    expect(sinkhornLegacy(rows).map((row) => row.map((value) => Number(value.toFixed(6))))).toEqual([
      [0, 0.414867, 0.335133, 0],
      [0.517763, 0, 0.232237, 0],
      [0.482237, 0.267764, 0, 0],
      [0, 0.317369, 0.43263, 0],
    ])
  })
  it('keeps ties at the k-th largest', () => {
    const kept = sinkhornLegacy([[3, 2, 2, 1]], { topK: 2, rounds: 0 })
    expect(kept).toEqual([[3, 2, 2, 0]])
  })
})

describe("Sinkhorn's balance", () => {
  it('has rows that sum to 1, and columns that sum to the share of rows', () => {
    const zeroed = table.values.map((row, i) => row.map((value, j) => (i === j ? 0 : value)))
    const out = sinkhorn(zeroed)
    for (const [i, row] of out.entries()) {
      expect(row.reduce((a, b) => a + b)).toBeCloseTo(1, 12)
      expect(Math.abs(out.reduce((sum, other) => sum + (other[i] ?? 0), 0) - 1)).toBeLessThan(1e-6)
      expect(row[i]).toBe(0)
    }
    const wide = sinkhorn([
      [1, 2, 4],
      [3, 1, 1],
    ])
    for (const j of [0, 1, 2]) expect(wide.reduce((sum, row) => sum + (row[j] ?? 0), 0)).toBeCloseTo(2 / 3, 5)
  })
  it('refuses a table that has none', () => {
    const empty = [
      [0, 1, 0],
      [1, 0, 0],
      [1, 1, 0],
    ]
    expect(() => sinkhorn(empty)).toThrow(/cannot be balanced/)
    // it has entries that would have to vanish: every round comes nearer, none arrives
    expect(() =>
      sinkhorn([
        [1, 1],
        [1, 0],
      ]),
    ).toThrow(/cannot be balanced/)
  })
})

describe('sources of a target', () => {
  it('are the nearest without the target, by a softmax of their similarities', () => {
    const chosen = sourceWeights(table, 'sq-AL', { topK: 3 })
    expect(chosen.map(({ source }) => source)).toEqual(['ro-RO', 'el-GR', 'pt-PT'])
    const powers = chosen.map(({ similarity }) => Math.exp(similarity / 0.02))
    const total = powers.reduce((a, b) => a + b)
    for (const [i, { weight }] of chosen.entries()) expect(weight).toBeCloseTo((powers[i] ?? NaN) / total, 10)
  })
  it('are in proportion to their similarities without a temperature', () => {
    const chosen = sourceWeights(table, 'sq-AL', { topK: 3, temperature: null })
    const total = chosen.reduce((sum, { similarity }) => sum + similarity, 0)
    for (const { similarity, weight } of chosen) expect(weight).toBeCloseTo(similarity / total, 12)
  })
  it('may hold the target', () => {
    expect(sourceWeights(table, 'sq-AL', { includeTarget: true })[0]?.source).toBe('sq-AL')
  })
  it.each(['top-k', 'sinkhorn', 'sinkhorn-legacy'] as const)('sum to 1, never more than k, by %s', (method) => {
    for (const target of table.targets) {
      const chosen = sourceWeights(table, target, { method, topK: 4 })
      expect(chosen.length).toBeLessThanOrEqual(4)
      expect(chosen.reduce((sum, { weight }) => sum + weight, 0)).toBeCloseTo(1, 12)
      expect(chosen.map(({ source }) => source)).not.toContain(target)
    }
  })
  it('are refused for a target without any', () => {
    const lonely = { targets: ['sq-AL'], sources: ['sq-AL'], values: [[1]] }
    expect(() => sourceWeights(lonely, 'sq-AL')).toThrow(/sq-AL: .*no source for this target/)
    expect(() => sourceWeights(table, 'sq-AX')).toThrow(expect.objectContaining({ hint: 'did you mean sq-AL?' }))
  })
})

describe('names of locales', () => {
  it.each([
    ['sq-AL', 'sq-AL'],
    ['sq_al', 'sq-AL'],
    ['sqi', 'sq-AL'],
    ['he', 'he-IL'],
    ['zh-TW', 'zh-TW'],
  ])('%s is %s', (word, locale) => expect(toLocale(word, known)).toBe(locale))
  it('are refused where they name none, or two', () => {
    expect(() => toLocale('sq-AX', known)).toThrow(expect.objectContaining({ hint: 'did you mean sq-AL?' }))
    expect(() => toLocale('zho', known)).toThrow(/zh-CN, zh-TW/)
  })
})
