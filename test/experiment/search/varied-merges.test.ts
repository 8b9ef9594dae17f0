import { readFileSync, mkdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parseVariations, variedMerges } from '../../../src/experiment/search/varied-merges.ts'
import { scratchFolder } from '../../scratch.ts'

const { path, file } = scratchFolder()

describe('a range', () => {
  test('has both its ends, without traces of binary steps', () => {
    expect(parseVariations('t=0:0.3:0.1')).toEqual([{ path: 't', values: [0, 0.1, 0.2, 0.3] }])
    expect(parseVariations('t=0:1:0.1')[0]?.values).toHaveLength(11)
    expect(parseVariations('t=0:1:0.3')[0]?.values).toEqual([0, 0.3, 0.6, 0.9])
    expect(parseVariations(' t = 0.5 , models.0.parameters.weight=1:3')).toEqual([
      { path: 't', values: [0.5] },
      { path: 'models.0.parameters.weight', values: [1, 2, 3] },
    ])
  })

  test.each(['t', '=1', 't=', 't=a', 't=1:0:0.1', 't=0:1:0', 't=0:1:-1', 't=0:1:0.1:2', 't=0::1'])(
    '%s is none',
    (text) => {
      expect(() => parseVariations(text)).toThrow(expect.objectContaining({ code: 'usage.value' }))
    },
  )
})

test('every combination is a recipe of its own, where the path leads', async () => {
  const recipe = file('mix.yml', 'merge_method: slerp\nmodels:\n- {model: a}\n- {model: b, parameters: {weight: 1}}\n')
  mkdirSync(path('out'))
  const found = await variedMerges(recipe, parseVariations('t=0:1,models.0.parameters.weight=2'), path('out'))
  expect(found.map(({ name }) => name)).toEqual([
    't=0,models.0.parameters.weight=2',
    't=1,models.0.parameters.weight=2',
  ])
  const recipes = found.map(
    ({ reference }) => JSON.parse(readFileSync(reference.slice('merge:'.length), 'utf8')) as unknown,
  )
  expect(recipes).toEqual(
    [0, 1].map((t) => ({
      merge_method: 'slerp',
      models: [
        { model: 'a', parameters: { weight: 2 } },
        { model: 'b', parameters: { weight: 1 } },
      ],
      parameters: { t },
    })),
  )
  await expect(
    variedMerges(recipe, parseVariations('models.2.parameters.weight=1'), path('out')),
  ).rejects.toMatchObject({
    code: 'usage.value',
  })
  await expect(variedMerges(path('none.yml'), parseVariations('t=1'), path('out'))).rejects.toMatchObject({
    code: 'file.missing',
  })
})
