import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { AskOptions } from '#core'
import { openModel } from '#experiment/open'
import { type Model, readModules, statesOf } from '#model/checkpoint'
import type { ModelOptions } from '#model/passes'
import { openStore } from '#platform/vectors'
import { writeAdaptedModel } from '../../experiment/encode/adapted-model.ts'
import { codeOf } from '../../files/formats/made-files.ts'
import { folderFiles } from '../../files/formats/folder-files.ts'
import { scratchFolder } from '../../scratch.ts'

const { path } = scratchFolder()
const texts = ['a b a', 'b', 'a a b b']
let folder: string
beforeAll(async () => void (folder = await writeAdaptedModel(path('model'))))

async function opened(options: ModelOptions = {}, of = folder): Promise<Model> {
  const model = await openModel(of, options)
  onTestFinished(() => model.close())
  return model
}

const asTask = (type: string): Pick<AskOptions, 'task'> => ({ task: { name: 'Pets', type } })
async function rowsOf(model: Model, call: AskOptions = {}, h?: number): Promise<number[]> {
  const embedder =
    h === undefined
      ? await model.embedder({ keep: 'all' })
      : await statesOf(model).embedder({ kind: 'state', h, pooling: undefined }, { keep: 'all' })
  return [...(await embedder.embed(texts, call)).data]
}

describe('the adapter of a text', () => {
  // Adapters and prompts of each call, as mteb's wrapper of the model asks for them; the prompt is in the config.
  const calls = [
    ['of no task', {}, 'none', undefined],
    ['a query of a retrieval', { ...asTask('Retrieval'), promptType: 'query' }, 'retrieval.query', 'a '],
    ['a document of a retrieval', { ...asTask('Retrieval'), promptType: 'document' }, 'retrieval.passage', 'b '],
    ['similarity', asTask('STS'), 'text-matching', undefined],
    ['a pair', asTask('PairClassification'), 'classification', undefined],
    ['clustering', asTask('Clustering'), 'separation', undefined],
    ['reranking', { ...asTask('Reranking'), promptType: 'query' }, 'separation', undefined],
    ['a task that mteb has no adapter for', asTask('InstructionReranking'), 'none', undefined],
    ['a query of no task', { promptType: 'query' }, 'retrieval.query', 'a '],
  ] as const

  test.each(calls)('%s', async (_title, call, adapter, prompt) => {
    const [byTask, named] = [await opened(), await opened({ adapter, prompt: prompt ?? '' })]
    for (const h of [undefined, 0, 1]) expect(await rowsOf(byTask, call, h)).toEqual(await rowsOf(named, {}, h))
  })

  test('is the folder’s own where no task asks, and any that the user names', async () => {
    const own = await writeAdaptedModel(path('own'), { model_args: { default_task: 'separation' } })
    const model = await opened({}, own)
    expect(model.settings.adapter).toBe('separation')
    expect(await rowsOf(model)).toEqual(await rowsOf(await opened({ adapter: 'separation' })))
    const named = await opened({ adapter: 'none' }, own)
    expect(named.overrides).toEqual(['adapter-none'])
    expect(await rowsOf(named, asTask('STS'))).toEqual(await rowsOf(await opened({ adapter: 'none' })))
  })

  test('has vectors of its own in a store that all share, in every order', async () => {
    const asked = [...calls, ...calls.toReversed()].map(([, call]) => call)
    const fresh = await opened()
    const wanted: number[][] = []
    for (const call of asked) wanted.push(await rowsOf(fresh, call, 1))
    // five adapters and none
    expect(new Set(wanted.map((rows) => rows.join())).size).toBe(6)
    const store = openStore(path('store'))
    const kept = await opened({ store })
    for (const [i, call] of asked.entries()) expect(await rowsOf(kept, call, 1)).toEqual(wanted[i])
    const again = await opened({ store: openStore(path('store')) })
    for (const [i, call] of asked.entries()) expect(await rowsOf(again, call, 1)).toEqual(wanted[i])
    expect(statesOf(again).passed().texts).toBe(0)
    expect(statesOf(kept).passed().texts).toBeGreaterThan(6)
  })

  test('keeps its graphs while others are asked at the same time', async () => {
    const model = await opened()
    const [one, ...others] = calls.map(([, call]) => call)
    const alone = await Promise.all([one, ...others].map(async (call) => rowsOf(await opened(), call)))
    const embedder = await model.embedder()
    const together = await Promise.all(
      [one, ...others].map(async (call) => [...(await embedder.embed(texts, call)).data]),
    )
    expect(together).toEqual(alone)
  })
})

describe('a model with adapters', () => {
  test('is another model when its config scales them in another way', async () => {
    const other = await writeAdaptedModel(path('scaled'), {}, { lora_alpha: 1 })
    const [one, two] = [await opened(), await opened({}, other)]
    expect((await one.identity()).tensors).toBe((await two.identity()).tensors)
    expect((await one.identity()).spec).not.toBe((await two.identity()).spec)
    expect(await rowsOf(one, asTask('STS'))).not.toEqual(await rowsOf(two, asTask('STS')))
  })

  test('reads both sides of a search by tokens with the adapter that is named', async () => {
    expect(await codeOf(async () => statesOf(await opened()).searcher(1))).toBe('usage.conflict')
    expect(await codeOf(async () => statesOf(await opened({ adapter: 'separation' })).searcher(1))).toBe('no fault')
  })

  test('refuses an adapter that it does not have, and others refuse any', async () => {
    expect(await codeOf(() => opened({ adapter: 'separetion' }))).toBe('usage.value')
    const wrong = await writeAdaptedModel(path('wrong'), { model_args: { default_task: 'nothing' } })
    expect(await codeOf(() => opened({}, wrong))).toBe('usage.value')
    const plain = await writeAdaptedModel(path('plain'), {}, {}, false)
    expect(await codeOf(() => opened({ adapter: 'separation' }, plain))).toBe('usage.value')
    expect(await codeOf(() => opened({ adapter: 'none' }, plain))).toBe('no fault')
  })

  test('may name its own Transformer in modules.json, and a model without adapters may not', async () => {
    expect((await readModules(folderFiles(folder)))?.names).toEqual(['Transformer', 'Pooling'])
    const other = await writeAdaptedModel(path('other'), {}, { lora_adaptations: undefined }, false)
    expect(await codeOf(() => readModules(folderFiles(other)))).toBe('config.unsupported')
  })
})
