import { onTestFinished, expect, test } from 'vitest'
import { openModel, type OpenModelOptions } from '#experiment/open'
import { combinationOf, openRepresentation, type Representation } from '#representation/layers'
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
