import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { openModel } from '#experiment/open'
import { encode } from '#experiment/sweep'
import { type Model, statesOf } from '#model/checkpoint'
import { openRepresentation } from '#representation/layers'
import { openStore } from '#platform/vectors'
import { writeSmallModel } from '../../experiment/encode/small-model.ts'
import { scratchFolder } from '../../scratch.ts'
import { writeMixed } from './mixed-layers.ts'

const { path } = scratchFolder()
const texts = ['a b a', 'b', 'a a b b', 'b a']
let folder: string
beforeAll(async () => void (folder = await writeSmallModel(path('model'))))

async function opened(store?: string, of = folder): Promise<Model> {
  const model = await openModel(of, store === undefined ? {} : { store: openStore(path(store)) })
  onTestFinished(() => model.close())
  return model
}
const rowsOf = async (model: Model, representation: string, list = texts): Promise<number[]> => [
  ...(await encode(model, list, { representation })).data,
]

describe('a store that several representations share', () => {
  const names = ['h1', 'h1-cls', 'h0', 'h1-max', 'default', 'h0-cls']
  test.each(['one process', 'several'])('keeps each under its pooling and its state: %s', async (processes) => {
    const fresh = new Map(
      await Promise.all(names.map(async (name) => [name, await rowsOf(await opened(), name)] as const)),
    )
    expect(new Set([...fresh].map(([name, rows]) => (name === 'default' ? 'h1' : JSON.stringify(rows)))).size).toBe(
      names.length,
    )
    const model = await opened(processes)
    for (const name of [...names, ...names.toReversed()])
      expect({ name, rows: await rowsOf(processes === 'several' ? await opened(processes) : model, name) }).toEqual({
        name,
        rows: fresh.get(name),
      })
  })
})

describe('default after layers', () => {
  test('encodes only the texts that no pass has kept, and gives every one its own vector', async () => {
    const model = await opened('layered')
    const vectors = await statesOf(model).vectors()
    const ensured = async (list: readonly string[], keep: 'all' | 'last') =>
      (await vectors.ensure({ texts: list, prompt: null }, keep)).encoded
    expect(await ensured([texts[0] ?? '', texts[2] ?? ''], 'all')).toBe(2)
    expect(await ensured([texts[0] ?? ''], 'last')).toBe(0)
    expect(await ensured(texts, 'last')).toBe(2)
    expect(await ensured(texts, 'last')).toBe(0)
    const [kept, computed] = [await rowsOf(model, 'default'), await rowsOf(await opened(), 'default')]
    kept.forEach((value, i) => expect(value).toBeCloseTo(computed[i] ?? NaN, 6))
    // a later pass over all states finds what it still lacks
    expect(await ensured(texts, 'all')).toBe(2)
  })
})

test('the weights of a mix of layers are part of what a vector is kept under', async () => {
  const mixed = path('mixed')
  await writeMixed(mixed, 1)
  const before = await rowsOf(await opened('mixes', mixed), 'default')
  await writeMixed(mixed, 3)
  const after = await rowsOf(await opened('mixes', mixed), 'default')
  expect(after).toEqual(await rowsOf(await opened(undefined, mixed), 'default'))
  expect(after).not.toEqual(before)
})

test('states asked for one after the other are not mixed up', async () => {
  const states = statesOf(await opened())
  const one = async (wanted: readonly number[]): Promise<number[][]> =>
    (await (await states.encoder(wanted)).encode(texts, null, {})).map((rows) => [...rows])
  const [both, second, first] = [await one([0, 1]), await one([1]), await one([0])]
  expect([first[0], second[0]]).toEqual(both)
  const embedder = await openRepresentation(await opened(), { kind: 'state', h: 0 })
  expect([...(await embedder.embed(texts)).data]).toEqual(first[0])
})
