import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { type Choice, readChoices, readRecipe, recipeName, writeChoice } from '#result/ledger'
import { scratchFolder } from '../../scratch.ts'

const { path } = scratchFolder()
const recipe = { method: 'weighted', lambda: 0.5, similarity: 'cka' }
const choice: Choice = {
  task: 'STS17',
  kind: 'method',
  method: 'weighted',
  validation: 'validation',
  chosen: 'weighted-aaaaaaaa+cls',
  candidates: [{ ...recipe, representation: 'weighted-aaaaaaaa+cls', score: 0.5 }],
}

test('choices come back as they were written; a later one replaces that of the same method and settings', async () => {
  const place = { root: path('results'), model: 'org/name', revision: 'main' }
  await writeChoice(place, choice)
  await writeChoice(place, { ...choice, chosen: 'weighted-bbbbbbbb', candidates: [] })
  await writeChoice(place, { ...choice, kind: 'mix', candidates: [] })
  const again: Choice = { ...choice, chosen: 'weighted-cccccccc+cls' }
  await writeChoice(place, again)
  expect(await readChoices(place)).toEqual(
    expect.arrayContaining([
      again,
      { ...choice, chosen: 'weighted-bbbbbbbb', candidates: [] },
      { ...choice, kind: 'mix', candidates: [] },
    ]),
  )
  expect(await readChoices(place)).toHaveLength(3)
  expect(await readChoices({ ...place, revision: 'other' })).toEqual([])
})

test.each(['{', '[]', '{"task":"STS17"}', JSON.stringify({ ...choice, candidates: [{ method: 7 }] })])(
  '%s is no choice, and no exception',
  async (text) => {
    const place = { root: path(`broken-${text.length}`), model: 'org/name', revision: 'main' }
    await writeChoice(place, choice)
    const folder = readdirSync(place.root, { recursive: true, encoding: 'utf8' }).find((one) => one.endsWith('.json'))
    const file = join(place.root, dirname(folder ?? ''), 'zzz.json')
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
    expect(await readChoices(place)).toEqual([choice])
  },
)

test('a recipe is read where results name one, and is named by what applies', () => {
  expect(readRecipe({ ...recipe, weights: {} })).toEqual(recipe)
  expect(readRecipe({ method: 'mean' })).toEqual({ method: 'mean', lambda: null, similarity: null })
  expect([readRecipe(undefined), readRecipe({ method: 'weighted', lambda: 'x' })]).toEqual([undefined, undefined])
  expect([recipeName(recipe), recipeName({ method: 'mean', lambda: null, similarity: null })]).toEqual([
    'weighted λ=0.5 cka',
    'mean',
  ])
})
