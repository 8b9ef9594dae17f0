import { onTestFinished, expect, test } from 'vitest'
import { openModel, type OpenModelOptions } from '#experiment/open'
import {
  combinationOf,
  openRepresentation,
  type Representation,
  representationOpener,
  type WholeRepresentation,
} from '#representation/layers'
import { openStore } from '#platform/vectors'
import { writeSmallModel } from '../../experiment/encode/small-model.ts'
import { scratchFolder } from '../../scratch.ts'

const { path } = scratchFolder()
const texts = ['a', 'b a', 'b b b a']
const mix = combinationOf('mine', { mix: { kind: 'sum', weights: Float64Array.of(0.5, 0.5) }, about: {} })
const seen: readonly Representation[] = [{ kind: 'default' }, { kind: 'state', h: 0 }, mix]

test('normalize: every representation has vectors of length 1, in the same direction, from the same stored states', async () => {
  const folder = await writeSmallModel(path('model'))
  const opened = async (options: OpenModelOptions) => {
    const model = await openModel(folder, { store: openStore(path('vectors')), ...options })
    onTestFinished(() => model.close())
    return model
  }
  const [plain, scaled] = [await opened({}), await opened({ normalize: true })]
  for (const representation of seen) {
    const [raw, unit] = [
      await (await openRepresentation(plain, representation, { keep: 'all' })).embed(texts),
      await (await openRepresentation(scaled, representation, { keep: 'all' })).embed(texts),
    ]
    for (let row = 0; row < texts.length; row++) {
      const [own, other] = [raw, unit].map(({ data, width }) => data.subarray(row * width, (row + 1) * width))
      const length = Math.hypot(...(own ?? []))
      expect([...(other ?? [])]).toEqual([...(own ?? [])].map((value) => expect.closeTo(value / length, 6) as number))
    }
  }
  expect(scaled.states?.passed().texts).toBe(0)
  expect([plain.overrides, scaled.overrides]).toEqual([[], ['unit']])
})

test.for([false, true])(
  'opened in turn, sizes and types have their own vectors; unit length: %s',
  async (normalize) => {
    const store = openStore(path(`turn-vectors-${String(normalize)}`))
    const model = await openModel(await writeSmallModel(path('turns')), { store, normalize })
    onTestFinished(() => model.close())
    const sizes = (of: WholeRepresentation): Representation[] => [
      of,
      { kind: 'sized', of, dimensions: 2, type: 'float32' },
      { kind: 'sized', of, dimensions: 2, type: 'uint8' },
      { kind: 'sized', of, type: 'int8' },
      { kind: 'sized', of, type: 'float16' },
      { kind: 'sized', of, dimensions: 3, type: 'binary' },
    ]
    const all = [
      ...sizes({ kind: 'default' }),
      ...sizes({ kind: 'state', h: 0 }),
      ...sizes(mix),
      { kind: 'state' as const, h: 1 },
    ]
    const opened = representationOpener(model, all)
    // to and fro: what stays of one is not taken for another
    for (const representation of [...all, ...all.toReversed()]) {
      const alone = await openRepresentation(model, representation)
      const inTurn = await opened(representation)
      for (const asked of [texts, texts.slice(1)])
        expect((await inTurn.embed(asked)).data).toEqual((await alone.embed(asked)).data)
      expect([inTurn.representation, inTurn.width]).toEqual([alone.representation, alone.width])
    }
  },
)

test('combinations that are opened in turn read each state once', async () => {
  const model = await openModel(await writeSmallModel(path('mixed')), { store: openStore(path('mixed-vectors')) })
  onTestFinished(() => model.close())
  const { states } = model
  if (states === undefined) throw new Error('no states')
  const read: number[] = []
  const counted = {
    ...model,
    states: {
      ...states,
      async embedder(...[state, options]: Parameters<typeof states.embedder>) {
        const embedder = await states.embedder(state, options)
        const embed: typeof embedder.embed = (...call) => {
          read.push(state.h)
          return embedder.embed(...call)
        }
        return { ...embedder, embed }
      },
    },
  }
  const [half, most] = [
    mix,
    combinationOf('most', { mix: { kind: 'sum', weights: Float64Array.of(0.1, 0.9) }, about: {} }),
  ]
  const wanted = [half, most, half].map(async (one) => (await openRepresentation(model, one)).embed(texts))
  const opened = representationOpener(counted, [half, most])
  const found: unknown[] = []
  for (const one of [half, most, half]) found.push(await (await opened(one)).embed(texts))
  expect(found).toEqual(await Promise.all(wanted))
  expect(read).toEqual([0, 1])
  const narrow = representationOpener(counted, [half, most], { bytes: 0 })
  for (const one of [half, most]) await (await narrow(one)).embed(texts)
  expect(read).toEqual([0, 1, 0, 1, 0, 1])
})

test('combinations that are opened in turn have the states of their own pooling', async () => {
  const model = await openModel(await writeSmallModel(path('pooled')), { store: openStore(path('pooled-vectors')) })
  onTestFinished(() => model.close())
  const pooled = (['mean', 'cls', 'max'] as const).map((pooling) => combinationOf(pooling, { ...mix, pooling }))
  const opened = representationOpener(model, pooled)
  const found: unknown[] = []
  for (const one of pooled) found.push((await (await opened(one)).embed(texts)).data)
  const alone = pooled.map(async (one) => (await (await openRepresentation(model, one)).embed(texts)).data)
  expect(found).toEqual(await Promise.all(alone))
  expect(found[0]).not.toEqual(found[1])
})
