// A study as data: sources, recipes, targets; models and tables from files.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  languages,
  languageSimilarity,
  modelsByLocale,
  readSimilarity,
  makeStudy,
  targetsBetween,
} from '#experiment/locales'
import { scratchFolder } from '../../scratch.ts'

const known = await languages()
const names = [...known.keys()]
const table = languageSimilarity([...known.values()])
const models = new Map(['sq-AL', 'ro-RO', 'el-GR', 'ja-JP'].map((locale) => [locale, `./k/${locale}`]))
const { path, file } = scratchFolder()

describe('a study', () => {
  it('has for each target its model, its merges, and their sources', () => {
    const { locales, recipes } = makeStudy({
      models,
      table,
      topK: 2,
      temperature: null,
      targets: ['sq-AL', 'pt-PT'],
      modes: ['baseline', 'similarity', 'average'],
    })
    expect(Object.keys(locales)).toEqual(['sq-AL', 'pt-PT'])
    expect(locales['sq-AL']).toMatchObject({
      models: {
        baseline: './k/sq-AL',
        similarity: 'recipes/similarity_merge_sq-AL.yml',
        average: 'recipes/average_merge_sq-AL.yml',
      },
      sources: { 'ro-RO': { model: './k/ro-RO' }, 'el-GR': { model: './k/el-GR' } },
    })
    // no model of its own
    expect(Object.keys(locales['pt-PT']?.models ?? {})).toEqual(['similarity', 'average'])
    const weights = Object.values(locales['sq-AL']?.sources ?? {}).map(({ weight }) => weight)
    expect(weights[0]).toBeGreaterThan(weights[1] ?? NaN)
    expect(recipes.get('recipes/similarity_merge_sq-AL.yml')).toEqual({
      merge_method: 'linear',
      models: [
        { model: './k/ro-RO', parameters: { weight: weights[0] } },
        { model: './k/el-GR', parameters: { weight: weights[1] } },
      ],
      dtype: 'float32',
    })
    expect(recipes.get('recipes/average_merge_sq-AL.yml')).toMatchObject({
      models: [{ parameters: { weight: 0.5 } }, { parameters: { weight: 0.5 } }],
    })
  })

  it.each(['task_arithmetic', 'ties', 'dare_ties'] as const)(
    '%s has the ancestor as its base, or is refused',
    (mode) => {
      const asked = { models, table, targets: ['sq-AL'], modes: [mode] }
      const { recipes } = makeStudy({ ...asked, base: './ancestor' })
      expect(recipes.get(`recipes/${mode}_merge_sq-AL.yml`)).toMatchObject({
        merge_method: mode,
        base_model: './ancestor',
      })
      expect(() => makeStudy(asked)).toThrow(/needs the common ancestor/)
    },
  )

  it('takes the target for a source only where that is asked for', () => {
    const asked = { models, table, targets: ['sq-AL'], modes: ['average'] as const }
    expect(Object.keys(makeStudy(asked).locales['sq-AL']?.sources ?? {})).not.toContain('sq-AL')
    expect(Object.keys(makeStudy({ ...asked, includeTarget: true }).locales['sq-AL']?.sources ?? {})).toContain('sq-AL')
  })

  it('takes the first in the list of sources that are equally near', () => {
    const sources = (...order: string[]): string[] => {
      const own = new Map(order.map((locale) => [locale, locale]))
      const { locales } = makeStudy({ models: own, table, targets: ['sq-AL'], modes: ['average'], topK: 1 })
      return Object.keys(locales['sq-AL']?.sources ?? {})
    }
    expect([sources('zh-TW', 'zh-CN'), sources('zh-CN', 'zh-TW')]).toEqual([['zh-TW'], ['zh-CN']])
  })

  it('is refused where nothing would be done', () => {
    expect(() => makeStudy({ models, table, targets: ['pt-PT'], modes: ['baseline'] })).toThrow(/pt-PT: has no model/)
    const one = new Map([['sq-AL', './k/sq-AL']])
    expect(() => makeStudy({ models: one, table, targets: ['sq-AL'], modes: ['average'] })).toThrow(/no source/)
  })
})

describe('targets', () => {
  const all = ['a', 'b', 'c', 'd']
  it.each([
    [{}, 'a b c d'],
    [{ startFrom: '2' }, 'c d'],
    [{ startFrom: 'b', most: 2 }, 'b c'],
    [{ most: 1 }, 'a'],
  ])('%j: %s', (asked, expected) => expect(targetsBetween(all, asked).join(' ')).toBe(expected))
  it('begin nowhere else', () => {
    for (const startFrom of ['4', 'e', '-1']) expect(() => targetsBetween(all, { startFrom })).toThrow(/no such locale/)
  })
})

describe('models', () => {
  beforeAll(() => {
    for (const name of ['sq-AL', 'cy-GB', 'ancestor']) mkdirSync(join(path('k'), name), { recursive: true })
    file('list.csv', 'model_name,locale,author\norg/one_k_sq-AL,sq-AL,x\norg/two,unknown,x\norg/one_k_cy-GB,cy-GB,x\n')
    file('twice.csv', 'model_name,locale\na,sq-AL\nb,sq-AL\n')
  })
  const asked = { known: names }
  it('of a pattern are those of every locale, in their folders', async () => {
    const found = await modelsByLocale('org/k_{locale}', { ...asked, subfolder: 'alpha_0.5_{locale}_epoch-9' })
    expect(found.size).toBe(52)
    expect(found.get('he-IL')).toBe('org/k_he-IL/alpha_0.5_he-IL_epoch-9')
    const local = await modelsByLocale('./k/{locale}', { ...asked, subfolder: 'best' })
    expect(local.get('he-IL')).toBe('./k/he-IL/best')
  })
  it('of a folder are its folders of locales', async () => {
    expect([...(await modelsByLocale(path('k'), asked))]).toEqual([
      ['cy-GB', join(path('k'), 'cy-GB')],
      ['sq-AL', join(path('k'), 'sq-AL')],
    ])
    // org/name would be a model of the hub
    const inside = await modelsByLocale('test/experiment', { known: ['locales'] })
    expect([...inside]).toEqual([['locales', './test/experiment/locales']])
  })
  it('of a list are its rows with a locale', async () => {
    expect([...(await modelsByLocale(path('list.csv'), asked))]).toEqual([
      ['sq-AL', 'org/one_k_sq-AL'],
      ['cy-GB', 'org/one_k_cy-GB'],
    ])
  })
  it('are refused where there are none, or two of one', async () => {
    await expect(modelsByLocale(path('twice.csv'), asked)).rejects.toThrow(/two models for sq-AL/)
    await expect(modelsByLocale(path('gone'), asked)).rejects.toMatchObject({ code: 'file.missing' })
    await expect(modelsByLocale(path(''), asked)).rejects.toThrow(/no model of a locale/)
  })
})

describe('a table from a file', () => {
  const read = (text: string) => {
    writeFileSync(path('table.csv'), text)
    return readSimilarity(path('table.csv'), known)
  }
  it('has sources as rows and targets as columns', async () => {
    expect(await read(',sq-AL,cy-GB\nja-JP,0.5,0.25\ncy-GB,0.125,1\n')).toEqual({
      targets: ['sq-AL', 'cy-GB'],
      sources: ['ja-JP', 'cy-GB'],
      values: [
        [0.5, 0.125],
        [0.25, 1],
      ],
    })
  })
  it('is refused with a stranger, or without a number', async () => {
    await expect(read(',sq-AL\nsq-AX,0.5\n')).rejects.toMatchObject({ hint: 'did you mean sq-AL?' })
    await expect(read(',sq-AL\ncy-GB,\n')).rejects.toThrow(/cy-GB › sq-AL: is no number/)
    await expect(read(',sq-AL\ncy-GB,much\n')).rejects.toThrow(/is no number/)
  })
})
