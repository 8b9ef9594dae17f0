import { describe, expect, test } from 'vitest'
import { matrix } from '#core'
import { specOf } from '#model/architectures'
import { combinationOf, type LayerNorm, type Mix } from '#representation/layers'
import { libraryLayers } from '../../../src/representation/export/st-layers.ts'
import type { Reading } from '../../../src/representation/export/reading.ts'
import { bertConfig, llamaConfig } from '../../model/architectures/small-configs.ts'

const bert = specOf({ ...bertConfig, num_hidden_layers: 4 })
const llama = specOf({ ...llamaConfig, num_hidden_layers: 4 })

const sum = (...weights: number[]): Mix => ({ kind: 'sum', weights: Float64Array.from(weights) })
const projection = (...layers: number[][]): Mix => {
  const width = 8 * layers.length
  const components = matrix(2, width)
  for (let i = 0; i < width; i++) [components.data[i], components.data[width + i]] = [i, -i]
  const basis = { mean: Float32Array.from({ length: width }, (_, i) => i / 8), components }
  return {
    kind: 'projection',
    blocks: layers.map((one) => ({ layers: one, factor: 3 })),
    width: 2,
    source: 'test',
    basis: () => Promise.resolve(basis),
  }
}
const reading = (more: Partial<Reading>): Reading => ({
  name: 'r',
  seen: { kind: 'last' },
  finalNorm: 'native',
  pooling: ['mean'],
  later: [],
  ...more,
})
const mixed = (
  mix: Mix,
  { layerNorm = 'none', ...more }: Partial<Reading> & { layerNorm?: LayerNorm } = {},
): Reading => {
  const { name } = combinationOf('mix', { mix, layerNorm, about: {} })
  return reading({ name, seen: { kind: 'mix', mix, layerNorm }, ...more })
}
const state = (h: number, more: Partial<Reading> = {}): Reading => reading({ seen: { kind: 'state', h }, ...more })
const refusal = (what: RegExp): Error =>
  expect.objectContaining({ code: 'usage.conflict', message: expect.stringMatching(what) as string }) as Error

describe('what sentence-transformers is to add up', () => {
  test('a state that a shorter model ends with needs no module', async () => {
    expect(await libraryLayers(reading({}), bert)).toEqual({ blocks: 4, weighted: undefined, dense: undefined })
    expect(await libraryLayers(state(2), bert)).toEqual({ blocks: 2, weighted: undefined, dense: undefined })
    expect(await libraryLayers(state(2, { finalNorm: 'always' }), llama)).toEqual({
      blocks: 2,
      weighted: undefined,
      dense: undefined,
    })
    expect(await libraryLayers(mixed(sum(0, 0, 1, 0, 0)), bert)).toEqual({
      blocks: 2,
      weighted: undefined,
      dense: undefined,
    })
  })

  test('a state before the final norm is the only one with a weight, one block more behind it', async () => {
    expect(await libraryLayers(state(2), llama)).toEqual({
      blocks: 3,
      weighted: { start: 2, weights: Float32Array.of(1, 0) },
      dense: undefined,
    })
  })

  test('the embedding output stands below a block that does not count', async () => {
    expect(await libraryLayers(state(0), bert)).toEqual({
      blocks: 1,
      weighted: { start: 0, weights: Float32Array.of(1, 0) },
      dense: undefined,
    })
  })

  test('a sum ends with the last state that takes part, or one block behind it where the last state is normed', async () => {
    const weights = sum(0, 0.25, 0, 0.75, 0)
    expect(await libraryLayers(mixed(weights), bert)).toEqual({
      blocks: 3,
      weighted: { start: 1, weights: Float32Array.of(0.25, 0, 0.75) },
      dense: undefined,
    })
    expect(await libraryLayers(mixed(weights), llama)).toMatchObject({
      blocks: 4,
      weighted: { start: 1, weights: Float32Array.of(0.25, 0, 0.75, 0) },
    })
    expect(await libraryLayers(mixed(sum(0, 0.5, 0, 0, 0.5)), llama)).toMatchObject({
      blocks: 4,
      weighted: { start: 1 },
    })
  })

  test('a projection of one layer, or of a mean of layers, is a Dense without activation', async () => {
    const one = await libraryLayers(mixed(projection([2])), bert)
    expect(one).toMatchObject({ blocks: 2, weighted: undefined, dense: { inputs: 8, outputs: 2 } })
    expect(one.dense?.weight.subarray(0, 3)).toEqual(Float32Array.of(0, 3, 6))
    // −Σ i · i / 8 for i = 0 … 7
    expect(one.dense?.bias).toEqual(Float32Array.of(-17.5, 17.5))
    expect(await libraryLayers(mixed(projection([1, 3])), bert)).toMatchObject({
      blocks: 3,
      weighted: { start: 1, weights: Float32Array.of(0.5, 0, 0.5) },
    })
  })

  test('weights of another sum are said only where a length of 1 follows', async () => {
    await expect(libraryLayers(mixed(sum(0, 1, 1, 0, 0)), bert)).rejects.toThrow(refusal(/add up to 2/))
    await expect(
      libraryLayers(mixed(sum(0, 1, 1, 0, 0), { later: [{ kind: 'normalize' }] }), bert),
    ).resolves.toMatchObject({ blocks: 2 })
    await expect(libraryLayers(mixed(sum(0, -1, -1, 0, 0), { later: [{ kind: 'normalize' }] }), bert)).rejects.toThrow(
      refusal(/add up to -2/),
    )
  })

  test.each<[string, Reading, typeof bert, RegExp]>([
    ['layers side by side', mixed(projection([1], [2])), bert, /side by side/],
    [
      'vectors made to length 1 before',
      mixed(sum(0, 0.5, 0.5, 0, 0), { layerNorm: 'l2' }),
      bert,
      /\(l2\) before it is mixed/,
    ],
    [
      'inner states after the final norm',
      mixed(sum(0, 0.5, 0.5, 0, 0), { finalNorm: 'always' }),
      llama,
      /after the final norm/,
    ],
    ['the largest values of a mix', mixed(sum(0, 0.5, 0.5, 0, 0), { pooling: ['mean', 'max'] }), bert, /largest value/],
    [
      'states that are named otherwise',
      mixed(sum(0, 0.5, 0.5, 0, 0)),
      { ...bert, stateNames: 'blocks-only' },
      /hidden_states of this family/,
    ],
    [
      'states of two widths',
      mixed(sum(0, 0.5, 0.5, 0, 0)),
      { ...bert, final: { ...bert.final, project: 4 } },
      /two widths/,
    ],
  ])('refused, with the reason: %s', async (_name, asked, spec, reason) => {
    await expect(libraryLayers(asked, spec)).rejects.toThrow(refusal(reason))
  })
})
