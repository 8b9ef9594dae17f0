/** Low states cost only the blocks below them, and are the same bits as those of a pass to the end. */
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Matrix, TensorSource } from '#core'
import { resolveModel } from '#experiment/open'
import { requestSweep } from '#experiment/sweep'
import { type Keep, type Model, openModelParts, statesOf } from '#model/checkpoint'
import { openStore } from '#platform/vectors'
import { openRepresentation } from '#representation/layers'
import { scratchFolder } from '../../scratch.ts'

const { path } = scratchFolder()
const stories = join(import.meta.dirname, '../../../assets/models/stories260K')
const words = 'once upon a time there was a little girl who had the red ball and she said no to him'.split(' ')
/** Of many lengths, so that texts are padded and meet in batches. */
const texts = Array.from({ length: 90 }, (_, i) =>
  Array.from({ length: 1 + ((i * 7) % 40) }, (_unused, k) => words[(i + k * (1 + (i % 5))) % words.length]).join(' '),
)

/** The model, and the numbers of the blocks whose weights the engine was given. */
async function opened(store?: string): Promise<{ model: Model; blocks: () => number[] }> {
  const parts = await resolveModel(stories)
  const touched = new Set<string>()
  const note =
    <Result>(ask: (name: string) => Result) =>
    (name: string): Result => {
      touched.add(name)
      return ask(name)
    }
  const { tensors } = parts
  const watched: TensorSource = {
    ...tensors,
    locate: note((name) => tensors.locate(name)),
    read: note((name) => tensors.read(name)),
  }
  const options = store === undefined ? {} : { store: openStore(path(store), {}) }
  const model = await openModelParts({ ...parts, tensors: watched }, options)
  const blocks = (): number[] =>
    [...new Set([...touched].flatMap((name) => /layers\.(\d+)\./.exec(name)?.[1] ?? []).map(Number))].sort(
      (a, b) => a - b,
    )
  return { model, blocks }
}

const upTo = (h: number): number[] => Array.from({ length: h }, (_, i) => i)
const last = 5

async function stored(h: number, keep: Keep, store?: string): Promise<{ vectors: Matrix; blocks: number[] }> {
  const { model, blocks } = await opened(store)
  try {
    const embedder = await openRepresentation(model, { kind: 'state', h }, { keep })
    return { vectors: await embedder.embed(texts), blocks: blocks() }
  } finally {
    await model.close()
  }
}

describe.each(upTo(last + 1))('state %i', (h) => {
  test('straight from the model builds the blocks below it, and gives the bits of the whole graph', async () => {
    const { model, blocks } = await opened()
    const states = statesOf(model)
    const [low] = await (await states.encoder([h])).encode(texts, null, {})
    expect(blocks()).toEqual(upTo(h))
    const all = await (await states.encoder(upTo(last + 1))).encode(texts, null, {})
    expect(low).toEqual(all[h])
    await model.close()
  })

  test('stored with those below it builds the same blocks, and gives the bits of a pass that keeps all', async () => {
    const { vectors, blocks } = await stored(h, h)
    expect(blocks).toEqual(upTo(h))
    expect(vectors).toEqual((await stored(h, 'all')).vectors)
  })
})

test('vectors of a pass to the end serve every lower reach, next to those of the low graph', async () => {
  const continued = async (
    store: string,
    keep: Keep,
  ): Promise<{ first: number[]; rest: number[]; vectors: Matrix }> => {
    const whole = await opened(store)
    const before = await openRepresentation(whole.model, { kind: 'state', h: 2 }, { keep: 'all' })
    const some = await before.embed(texts.slice(0, 20))
    await whole.model.close()
    const { model, blocks } = await opened(store)
    const embedder = await openRepresentation(model, { kind: 'state', h: 2 }, { keep })
    expect(await embedder.embed(texts.slice(0, 20))).toEqual(some)
    const first = blocks()
    const vectors = await embedder.embed(texts)
    const rest = blocks()
    await model.close()
    return { first, rest, vectors }
  }
  const low = await continued('low', 2)
  expect([low.first, low.rest]).toEqual([[], [0, 1]])
  // what is not stored yet meets in the same batches either way
  expect(low.vectors).toEqual((await continued('whole', 'all')).vectors)
})

test('a sweep reaches as far as its representations', () => {
  const reach = (...representations: Parameters<typeof requestSweep>[0]['representations']): Keep =>
    requestSweep({ tasks: [], representations }).keep
  const mix = { kind: 'sum' as const, weights: Float64Array.of(0.5, 0, 0.5, 0) }
  const combination = { kind: 'combination' as const, name: 'mix', mix } as never
  expect(reach({ kind: 'default' })).toBe('last')
  expect(reach({ kind: 'state', h: 1 }, { kind: 'state', h: 3, pooling: 'cls' })).toBe(3)
  expect(reach({ kind: 'state', h: 1 }, combination)).toBe(2)
  expect(reach({ kind: 'state', h: 1 }, { kind: 'default' })).toBe('all')
})
