// Choices of sources: the methods of combining layers, over similarities of locales.
import { describe, expect, it } from 'vitest'
import { languages, languageSimilarity, type SourceChoice, targetSources } from '#experiment/locales'

const known = await languages()
const languageTable = languageSimilarity([...known.values()])
const modelsOf = (...locales: readonly string[]) => new Map(locales.map((locale) => [locale, `./k/${locale}`]))

/** Similarities of a and b, twins but for a hundredth, and c to the target t; `s`: of a and b to c. */
const tableOf = (near: readonly [number, number, number], twins: number, s: number) => ({
  targets: ['t', 'a', 'b', 'c'],
  sources: ['a', 'b', 'c'],
  values: [[...near], [1, twins, s], [twins, 1, s], [s, s, 1]],
})
const chosen = async (
  table: Parameters<typeof targetSources>[0],
  target: string,
  options: Parameters<typeof targetSources>[2],
): Promise<Record<string, number>> => {
  const found = await targetSources(table, [target], options)
  return Object.fromEntries((found.get(target) ?? []).map(({ source, weight }) => [source, weight]))
}

describe('a choice of sources', () => {
  const pair = { targets: ['t', 'a', 'b'], sources: ['a', 'b'], values: [[0.9, 0.8], [1, 0.5], [0.5, 1]] } // prettier-ignore
  const models = modelsOf('a', 'b', 'c')
  // stationary where q − 2λAw is the same for both: w_a − w_b = (0.9 − 0.8) / (2λ(1 − A_ab)), A_ab = 0.5, or half of it
  it.each([
    ['qp', 0.5, 0.6],
    ['qp', 1, 0.55],
    ['weighted_greedy', 0.5, 0.5 + 0.1 / 0.75 / 2],
    ['qp', 0, 1],
    ['greedy', 0.5, 2 / 3],
  ] as const)('%s at λ = %d: %d on the nearer of two', async (choice, lambda, first) => {
    const weights = await chosen(pair, 't', { models, choice, lambda })
    expect(weights['a']).toBeCloseTo(first, 12)
    expect(Object.values(weights).reduce((sum, weight) => sum + weight)).toBeCloseTo(1, 12)
  })

  it('passes over the twin of a source that is chosen', async () => {
    const table = tableOf([0.9, 0.89, 0.8], 1, 0.5)
    const sources = async (choice: SourceChoice) =>
      Object.keys(await chosen(table, 't', { models, choice, topK: 2, temperature: null }))
    expect(await sources('top-k')).toEqual(['a', 'b'])
    for (const choice of ['qp', 'greedy'] as const) expect(await sources(choice)).toEqual(['a', 'c'])
  })

  it('has at most k sources, the heaviest of the optimum', async () => {
    const table = tableOf([0.9, 0.85, 0.8], 0.3, 0.2)
    const all = await chosen(table, 't', { models, choice: 'qp' })
    expect(Object.keys(all)).toHaveLength(3)
    const two = await chosen(table, 't', { models, choice: 'qp', topK: 2 })
    const heavier = Object.entries(all).toSorted(([, x], [, y]) => y - x).slice(0, 2) // prettier-ignore
    const total = heavier.reduce((sum, [, weight]) => sum + weight, 0)
    for (const [source, weight] of heavier) expect(two[source]).toBeCloseTo(weight / total, 12)
  })

  it('takes means where one source serves another less than the reverse', async () => {
    const uneven = { ...pair, values: [[0.9, 0.8], [1, 0.2], [0.8, 1]] } // prettier-ignore
    const even = await chosen(pair, 't', { models, choice: 'qp' })
    expect(await chosen(uneven, 't', { models, choice: 'qp' })).toEqual(even)
  })

  it('is refused where two sources have no similarity', async () => {
    const open = { targets: ['t'], sources: ['a', 'b'], values: [[0.9, 0.8]] }
    await expect(targetSources(open, ['t'], { models, choice: 'qp' })).rejects.toThrow(/a › a: .*no such pair/)
    const unknown = { ...pair, values: [[0.9, 0.8], [1, NaN], [0.5, 1]] } // prettier-ignore
    await expect(targetSources(unknown, ['t'], { models, choice: 'greedy' })).rejects.toThrow(/a › b: .*no such pair/)
    expect(Object.keys(await chosen(open, 't', { models }))).toEqual(['a', 'b'])
  })
})

describe('the choice qp over languages', () => {
  const models = modelsOf('ro-RO', 'el-GR', 'pt-PT', 'zh-CN', 'ja-JP', 'pl-PL', 'sl-SL')
  it('is the mixture of features that is nearest to those of the target', async () => {
    const locales = [...models.keys()]
    const weights = await chosen(languageTable, 'sq-AL', { models, choice: 'qp', topK: 7 })
    const similarity = (a: string, b: string): number =>
      languageTable.values[languageTable.targets.indexOf(a)]?.[languageTable.sources.indexOf(b)] ?? NaN
    // half the slope of ‖x_t − Σ w_i x_i‖² along w_i; the shift of the cosines is the same for all
    const slopes = locales.map((one) => {
      const mixed = Object.entries(weights).reduce((sum, [other, weight]) => sum + weight * similarity(one, other), 0)
      return similarity(one, 'sq-AL') - mixed
    })
    const top = Math.max(...slopes)
    expect(Object.keys(weights).length).toBeGreaterThan(1)
    // weights of at most 0.001 are dropped, which moves a slope by no more than that
    for (const one of Object.keys(weights)) expect(top - (slopes[locales.indexOf(one)] ?? NaN)).toBeLessThan(1e-3)
  })
  it('is the twin of the target alone where it has one', async () => {
    expect(await chosen(languageTable, 'zh-TW', { models, choice: 'qp' })).toEqual({ 'zh-CN': 1 })
  })
})
