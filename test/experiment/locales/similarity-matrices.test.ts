import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { languages, makeStudy, readSimilarity, writeMatrices } from '#experiment/locales'
import { scratchFolder } from '../../scratch.ts'

const { path } = scratchFolder()
const known = await languages()
const models = new Map([
  ['sq-AL', 'org/sq/best'],
  ['zh-CN', './k/zh-CN'],
  ['zh-TW', './k/zh-TW'],
])
// cy-GB has no model, ja-JP is nobody's
const table = {
  targets: ['cy-GB', 'ja-JP', 'sq-AL', 'zh-CN', 'zh-TW'],
  sources: ['sq-AL', 'ja-JP', 'zh-CN', 'zh-TW'],
  values: [
    [0.5, 0.25, 0.125, 0.375],
    [0, 0, 0, 0],
    [1, 0.25, 0.5, 0.75],
    [0.25, 0, 1, 0.875],
    [0.25, 0, 0.875, 1],
  ],
}
const lines = (name: string): string[] => readFileSync(path(name), 'utf8').split('\n')

test('languages are the keys, and locales where two share one', async () => {
  const { locales } = makeStudy({
    models,
    table,
    topK: 2,
    temperature: null,
    targets: ['cy-GB', 'sq-AL'],
    modes: ['average'],
  })
  const paths = await writeMatrices(path(''), {
    languages: known,
    table,
    models,
    locales,
    subfolder: 'best',
    base: 'org/base',
    authorOf: (model) => (model === 'org/sq' ? 'org' : null),
  })
  expect(paths).toEqual(
    ['language_similarity_matrix', 'sparsed_language_similarity_matrix', 'model_mapping'].map((name) =>
      path(`${name}.csv`),
    ),
  )
  expect(lines('language_similarity_matrix.csv')).toEqual([
    ',cym,sqi,zh-CN,zh-TW',
    'sqi,0.5,1,0.25,0.25',
    'zh-CN,0.125,0.5,1,0.875',
    'zh-TW,0.375,0.75,0.875,1',
    '',
  ])
  // 0.5 and 0.375 of 0.875; 0.75 and 0.5 of 1.25
  expect(lines('sparsed_language_similarity_matrix.csv')).toEqual([
    ',sqi,zh-CN,zh-TW',
    `cym,${0.5 / 0.875},0,${0.375 / 0.875}`,
    'sqi,0,0.4,0.6',
    '',
  ])
  expect(lines('model_mapping.csv')).toEqual([
    ',locale,model_name,author,base_model',
    'sqi,sq-AL,org/sq,org,org/base',
    'zh-CN,zh-CN,./k/zh-CN,,org/base',
    'zh-TW,zh-TW,./k/zh-TW,,org/base',
    '',
  ])
  expect(await readSimilarity(path('language_similarity_matrix.csv'), known)).toEqual({
    targets: ['cy-GB', 'sq-AL', 'zh-CN', 'zh-TW'],
    sources: ['sq-AL', 'zh-CN', 'zh-TW'],
    values: [
      [0.5, 0.125, 0.375],
      [1, 0.5, 0.75],
      [0.25, 1, 0.875],
      [0.25, 0.875, 1],
    ],
  })
})
