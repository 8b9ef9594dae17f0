import { readFile, writeFile } from 'node:fs/promises'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { matrix } from '#core'
import { openModel } from '#experiment/open'
import { encode } from '#experiment/sweep'
import {
  type CombinationRepresentation,
  combinationOf,
  type LayerNorm,
  layerNorms,
  mixer,
  openRepresentation,
  writeRepresentation,
} from '#representation/layers'
import { type Model, statesOf } from '#model/checkpoint'
import { openStore } from '#platform/vectors'
import { writeSmallModel } from '../../experiment/encode/small-model.ts'
import { scratchFolder } from '../../scratch.ts'
import { shared, sharedPath } from '../../shared.ts'

const { path } = scratchFolder()
const texts = ['a b a', 'b', 'a a b b', 'b a', '']
let folder: string
beforeAll(async () => void (folder = await writeSmallModel(path('model'))))

async function opened(options: { store?: string; of?: string } = {}): Promise<Model> {
  const { store, of = folder } = options
  const model = await openModel(of, store === undefined ? {} : { store: openStore(path(store)) })
  onTestFinished(() => model.close())
  return model
}

const sum = (weights: readonly number[], layerNorm: LayerNorm = 'none'): CombinationRepresentation =>
  combinationOf('weighted', {
    mix: { kind: 'sum', weights: Float64Array.from(weights) },
    layerNorm,
    about: { method: 'weighted' },
  })

/** Both states side by side, halves swapped by the components; `mean` is taken off first. */
const projection = (source = 'test'): CombinationRepresentation => {
  const width = 8
  const components = matrix(width, width)
  for (let k = 0; k < width; k++) components.data[k * width + ((k + 4) % width)] = 1
  const basis = { mean: Float32Array.from({ length: width }, (_, i) => i / 8), components }
  const blocks = [0, 1].map((h) => ({ layers: [h], factor: h + 1 }))
  return combinationOf('all_pca', {
    mix: { kind: 'projection', blocks, width, source, basis: () => Promise.resolve(basis) },
    about: { method: 'all_pca' },
  })
}

const rowsOf = async (model: Model, combination: CombinationRepresentation): Promise<number[]> => [
  ...(await (await openRepresentation(model, combination)).embed(texts)).data,
]
const statesOfTexts = async (model: Model): Promise<number[][]> =>
  Promise.all(['h0', 'h1'].map(async (representation) => [...(await encode(model, texts, { representation })).data]))

describe('a weighted sum', () => {
  test('is the sum of the states times their weights', async () => {
    const model = await opened()
    const [h0 = [], h1 = []] = await statesOfTexts(model)
    const mixed = await rowsOf(model, sum([0.25, 0.75]))
    // two products and a sum in float32
    expect(
      Math.max(...mixed.map((value, i) => Math.abs(value - (0.25 * (h0[i] ?? 0) + 0.75 * (h1[i] ?? 0))))),
    ).toBeLessThan(1e-6)
    expect(await rowsOf(model, sum([0, 1]))).toEqual(h1)
  })

  test('takes each state as the norm leaves it', async () => {
    const state = matrix(2, 3, Float32Array.of(3, 0, 4, 5, 5, 5))
    const after = async (layerNorm: LayerNorm): Promise<number[]> => {
      const mixed = await mixer(sum([1], layerNorm), [3])(2)
      await mixed.add(0, state)
      return Array.from(mixed.finish().data, (value) => Math.round(1000 * value) / 1000)
    }
    const found = Object.fromEntries(
      await Promise.all(layerNorms.map(async (name) => [name, await after(name)] as const)),
    )
    const [third, deviation] = [7 / 3, Math.sqrt(26 / 9)]
    const scored = [3, 0, 4].map((value) => Math.round((1000 * (value - third)) / deviation) / 1000)
    expect(found).toEqual({
      none: [3, 0, 4, 5, 5, 5],
      l2: [0.6, 0, 0.8, 0.577, 0.577, 0.577],
      zscore: [...scored, 0, 0, 0],
    })
  })

  test('of states of unequal width is refused', async () => {
    expect(() => mixer(sum([0.5, 0.5]), [3, 4])).toThrow(expect.objectContaining({ code: 'representation.width' }))
  })

  test.each([[[0, 0]], [[0.5, 0.25, 0.25]]])('%j of states that are not there is refused', async (weights) => {
    await expect(openRepresentation(await opened(), sum(weights))).rejects.toMatchObject({
      code: 'representation.unknown',
    })
  })
})

test('a projection is the blocks side by side, less the mean, on the components', async () => {
  const model = await opened()
  const [h0 = [], h1 = []] = await statesOfTexts(model)
  const projected = await rowsOf(model, projection())
  const wanted = texts.flatMap((_, row) => {
    const beside = [...h0.slice(4 * row, 4 * row + 4), ...h1.slice(4 * row, 4 * row + 4).map((value) => 2 * value)].map(
      (value, i) => value - i / 8,
    )
    return [...beside.slice(4), ...beside.slice(0, 4)]
  })
  // one float32 rounding for the mean, which is taken off after the product
  expect(Math.max(...projected.map((value, i) => Math.abs(value - (wanted[i] ?? NaN))))).toBeLessThan(1e-6)
})

test('one cache serves states and their mixes, from one pass', async () => {
  const model = await opened({ store: 'shared' })
  const vectors = await model.states?.vectors()
  await rowsOf(model, sum([0.25, 0.75]))
  expect(await vectors?.missing({ texts, prompt: null }, 'all')).toBe(0)
  expect(await rowsOf(model, projection())).not.toEqual(await rowsOf(model, sum([0.25, 0.75])))
})

describe('identities', () => {
  test('differ with everything that moves a vector, and with nothing else', () => {
    const [one, other] = [sum([0.25, 0.75]), sum([0.25, 0.75])]
    expect({ ...other, about: {} }).toEqual({ ...one, about: {} })
    const all = [
      one,
      sum([0.75, 0.25]),
      sum([0.25, 0.75], 'l2'),
      { ...one, ...combinationOf('weighted', { mix: one.mix, pooling: 'cls', about: {} }) },
    ]
    const more = [...all, projection(), projection('other texts')].map(({ identity }) => identity)
    expect(new Set(more).size).toBe(more.length)
  })
})

describe('a representation file', () => {
  test.each([
    ['sum', () => sum([0.1, 0.9], 'l2')],
    ['projection', () => projection()],
  ])('of a %s gives the same vectors and the same name', async (_kind, made) => {
    const model = await opened()
    const combination = made()
    const file = await writeRepresentation(path('files'), model, combination)
    const read = await encode(model, texts, { representation: file })
    expect([...read.data]).toEqual(await rowsOf(model, combination))
    expect(file.endsWith(`${combination.name}.json`)).toBe(true)
  })

  test('of another model is refused', async () => {
    const other = await writeSmallModel(path('other'), { 'config.json': { hidden_act: 'relu' } })
    const file = await writeRepresentation(path('files'), await opened(), sum([0.5, 0.5]))
    await expect(encode(await opened({ of: other }), texts, { representation: file })).rejects.toMatchObject({
      code: 'representation.unknown',
    })
  })

  test.each([
    ['weights', (text: string) => text.replace('"0": 0.5', '"0": 0.6'), 'usage.value'],
    ['an unknown key', (text: string) => text.replace('"states"', '"statse"'), 'usage.value'],
    ['half of it', (text: string) => text.slice(0, 100), 'format.json'],
    ['a state too many', (text: string) => text.replace('"0": 0.5', '"9": 0.5'), 'representation.unknown'],
  ])('changed by hand is refused: %s', async (_what, change, code) => {
    const model = await opened()
    const file = await writeRepresentation(path('changed'), model, sum([0.5, 0.5]))
    await writeFile(file, change(await readFile(file, 'utf8')))
    await expect(encode(model, texts, { representation: file })).rejects.toMatchObject({ code })
  })

  test('of states that were pooled otherwise is refused', async () => {
    const file = await writeRepresentation(path('read'), await opened(), sum([0.5, 0.5]))
    const model = await openModel(folder, { pooling: 'cls' })
    onTestFinished(() => model.close())
    await expect(encode(model, texts, { representation: file })).rejects.toMatchObject({
      code: 'usage.conflict',
      parts: { hint: '--pooling mean' },
    })
  })

  test.skipIf(shared === undefined)('of states under another final norm is refused', async () => {
    const decoder = sharedPath('models', 'nano-pythia', 'step1183')
    const model = await openModel(decoder)
    onTestFinished(() => model.close())
    const weights = Array.from({ length: statesOf(model).count }, (_, h) => (h === 0 ? 1 : 0))
    const file = await writeRepresentation(path('read'), model, sum(weights))
    const native = await openModel(decoder, { finalNorm: 'native' })
    onTestFinished(() => native.close())
    await expect(encode(native, texts, { representation: file })).rejects.toMatchObject({
      code: 'usage.conflict',
      parts: { hint: '--final-norm always' },
    })
  })

  test('with another basis beside it is refused', async () => {
    const model = await opened()
    const file = await writeRepresentation(path('basis'), model, projection())
    const tensors = file.replace(/json$/, 'safetensors')
    const bytes = await readFile(tensors)
    await writeFile(tensors, bytes.fill(1, bytes.length - 4))
    await expect(encode(model, texts, { representation: file })).rejects.toMatchObject({ code: 'tensor.value' })
  })

  test('that is not there is named', async () => {
    await expect(encode(await opened(), texts, { representation: path('nowhere.json') })).rejects.toMatchObject({
      code: 'file.missing',
    })
  })
})
