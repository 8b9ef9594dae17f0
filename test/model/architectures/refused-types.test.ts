/** Every model type of the reference that reads text opens, by a case, or is refused for a reason. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { refusedTypes, specOf } from '#model/architectures'
import { goldenFolder, goldenOf } from '../../golden-of.ts'

const { types } = goldenOf<{ types: readonly string[] }>('model/architectures', 'text-types')

/** Types of the checkpoints that other tests compare with the reference, output by output. */
const drawn = goldenFolder<{ config: { model_type: string } }>('model/architectures', 'families')
const recorded = JSON.parse(readFileSync(join(import.meta.dirname, '../../../docs/support.json'), 'utf8')) as {
  models: readonly { modelType: string; ok: boolean }[]
}
const open = new Set([
  ...drawn.map(({ config }) => config.model_type),
  ...recorded.models.filter(({ ok }) => ok).map(({ modelType }) => modelType),
])

test('every type of the reference is open or has a reason', () => {
  expect(types.filter((type) => !open.has(type) && !refusedTypes.has(type))).toEqual([])
})

test('no reason is left of a type that is open, or that the reference does not know', () => {
  expect([...refusedTypes.keys()].filter((type) => open.has(type) || !types.includes(type))).toEqual([])
})

test.each([...refusedTypes])('%s is refused: %s', (type, reason) => {
  expect(() => specOf({ model_type: type })).toThrow(reason)
})

test('a reason is one line of a table', () => {
  expect([...refusedTypes.values()].filter((reason) => /[|\n.]$|[|\n]/.test(reason) || reason.length > 120)).toEqual([])
})
