// Weights from a file, and the merges of a study that they make.
import { describe, expect, it } from 'vitest'
import {
  languages,
  languageSimilarity,
  makeStudy,
  readWeights,
  type StudyMode,
  type StudyOptions,
  targetSources,
} from '#experiment/locales'
import { scratchFolder } from '../../scratch.ts'

const known = await languages()
const table = languageSimilarity([...known.values()])
const models = new Map(['sq-AL', 'ro-RO', 'el-GR', 'ja-JP'].map((locale) => [locale, `./k/${locale}`]))
const { file } = scratchFolder()
let files = 0
const read = (text: string, extension = 'csv') => {
  files += 1
  return readWeights(file(`${files}.${extension}`, text), new Set(known.keys()))
}
const head = 'target,source,weight\n'

describe('weights from a file', () => {
  it('are the sources of each target, the heaviest first, without those of weight 0', async () => {
    const found = await read(`${head}sq-AL,ro-RO,0.25\nsq-AL,el-GR,0.75\nsq-AL,ja-JP,0\nja-JP,sq-AL,1\n`)
    expect([...found]).toEqual([
      [
        'sq-AL',
        [
          { source: 'el-GR', weight: 0.75 },
          { source: 'ro-RO', weight: 0.25 },
        ],
      ],
      ['ja-JP', [{ source: 'sq-AL', weight: 1 }]],
    ])
  })
  it('may stand in a .json, and be rounded', async () => {
    const weights = Object.entries({ 'ro-RO': 0.3333333, 'el-GR': 0.3333333, 'ja-JP': 0.3333333 })
    const rows = weights.map(([source, weight]) => ({ target: 'sq-AL', source, weight }))
    expect((await read(JSON.stringify(rows), 'json')).get('sq-AL')).toHaveLength(3)
  })
  it.each([
    ['sq-AL,ro-RO,0.5\nsq-AL,el-GR,0.4\n', /› sq-AL: the weights of a target must sum to 1.*0\.9/s],
    ['sq-AL,ro-RO,0.333332\nsq-AL,el-GR,0.666666\n', /must sum to 1/],
    ['sq-AL,ro-RO,1.5\nsq-AL,el-GR,-0.5\n', /sq-AL › el-GR: a weight must be 0 or greater/],
    ['sq-AL,ro-RO,much\n', /sq-AL › ro-RO: is no number/],
    ['sq-AL,ro-RO,0.5\nsq-AL,ro-RO,0.5\n', /sq-AL › ro-RO: this source has two weights/],
    ['sq-AX,ro-RO,1\n', /no such locale.*sq-AX/s],
    ['sq-AL,ro-RR,1\n', /no such locale.*ro-RR/s],
    ['', /has no weights/],
  ])('%j is refused', async (rows, message) => {
    await expect(read(`${head}${rows}`)).rejects.toThrow(message)
  })
})

describe('a study with weights of its own', () => {
  const manual = new Map([
    [
      'sq-AL',
      [
        { source: 'ja-JP', weight: 0.75 },
        { source: 'el-GR', weight: 0.25 },
      ],
    ],
  ])
  const study = (modes: readonly StudyMode[], weightings: StudyOptions['weightings']) => {
    const { locales, recipes } = makeStudy({ models, table, targets: ['sq-AL'], topK: 1, modes, weightings })
    const { models: types = {}, sources = {} } = locales['sq-AL'] ?? {}
    return { recipes, types, sources: Object.keys(sources) }
  }
  const recipe = {
    merge_method: 'linear',
    models: [
      { model: './k/ja-JP', parameters: { weight: 0.75 } },
      { model: './k/el-GR', parameters: { weight: 0.25 } },
    ],
    dtype: 'float32',
  }

  it('merges by them in their mode, and scores the sources of the other modes', () => {
    const { recipes, types, sources } = study(['manual', 'average'], { manual })
    expect(recipes.get('recipes/manual_merge_sq-AL.yml')).toEqual(recipe)
    expect(types).toEqual({
      manual: 'recipes/manual_merge_sq-AL.yml',
      average: 'recipes/average_merge_sq-AL.yml',
    })
    expect(sources).toEqual(['ro-RO'])
    expect(study(['manual'], { manual }).sources).toEqual(['ja-JP', 'el-GR'])
  })
  it('has them for all modes where they are those of the study', () => {
    const { recipes, sources } = study(['similarity', 'average'], { similarity: manual })
    expect(recipes.get('recipes/similarity_merge_sq-AL.yml')).toEqual(recipe)
    expect(sources).toEqual(['ja-JP', 'el-GR'])
  })
  it('takes sources by syntax next to those of another table', async () => {
    const uriel = await targetSources(table, ['sq-AL'], { models, topK: 2 })
    expect([...uriel.values()].flat().map(({ source }) => source)).toEqual(['ro-RO', 'el-GR'])
    const { recipes } = study(['similarity', 'uriel'], { similarity: manual, uriel })
    expect(recipes.get('recipes/uriel_merge_sq-AL.yml')).toMatchObject({
      models: [{ model: './k/ro-RO' }, { model: './k/el-GR' }],
    })
  })
  it('is refused for a target without them, a source without a model, and the target as its own source', () => {
    const of = (target: string, source: string) => ({ manual: new Map([[target, [{ source, weight: 1 }]]]) })
    expect(() => study(['manual'], of('ja-JP', 'sq-AL'))).toThrow(/sq-AL: no weights are given/)
    expect(() => study(['manual'], {})).toThrow(/no weights are given/)
    expect(() => study(['manual'], of('sq-AL', 'pt-PT'))).toThrow(/its source pt-PT has no model/)
    expect(() => study(['manual'], of('sq-AL', 'sq-AL'))).toThrow(/own sources/)
    const included = { models, table, targets: ['sq-AL'], modes: ['manual'] as const, includeTarget: true }
    const { locales } = makeStudy({ ...included, weightings: of('sq-AL', 'sq-AL') })
    expect(Object.keys(locales['sq-AL']?.sources ?? {})).toEqual(['sq-AL'])
  })
})
