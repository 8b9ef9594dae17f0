import { describe, expect, test } from 'vitest'
import { type MergePlan, outputConfig, type Recipe } from '#model/merge'
import { goldenFolder } from '../../../golden-of.ts'
import type { FamilyCase } from '../../graph/drawn-checkpoint.ts'

const families = goldenFolder<FamilyCase>('model/architectures', 'families')
const configOf = (name: string): FamilyCase['config'] => families.find((file) => file.name === name)?.config ?? {}

/** Slices of one model, as [from, to). */
function sliced(...slices: readonly (readonly [number, number])[]): Recipe {
  const of = slices.map((layers) => ({ sources: [{ model: 'a', layers }] }))
  return { modules: { default: { slices: of } } } as unknown as Recipe
}

const planned = (layers: number): MergePlan =>
  ({ layers: new Map([['model.layers.', layers]]), tensors: [], vocabulary: undefined }) as unknown as MergePlan

describe('layers that share blocks', () => {
  const config = configOf('zamba2')

  test('the first ones stay', () => {
    expect(outputConfig(config, sliced([0, 3]), planned(3))).toMatchObject({
      num_hidden_layers: 3,
      layers_block_type: ['linear_attention', 'hybrid', 'hybrid'],
    })
  })

  test.each([
    [[1, 4]],
    [
      [0, 2],
      [3, 4],
    ],
    [
      [0, 4],
      [0, 4],
    ],
  ] as const)('%j are refused', (...slices) => {
    const layers = slices.reduce((sum, [from, to]) => sum + to - from, 0)
    expect(() => outputConfig(config, sliced(...slices), planned(layers))).toThrow(/share blocks/)
  })

  test('others may be moved', () => {
    expect(outputConfig(configOf('zamba2-long'), sliced([1, 2]), planned(1))).toMatchObject({
      layers_block_type: ['hybrid'],
    })
  })
})

test('every key that counts layers is set', () => {
  expect(outputConfig(configOf('xlstm'), sliced([0, 1]), planned(1))).toMatchObject({
    num_hidden_layers: 1,
    num_blocks: 1,
  })
})
