import { expect, test } from 'vitest'
import { openTensors, readFloat32 } from '#files/formats'
import { gramMatrices, writeGrams } from '#model/gradient'
import { goldenOf } from '../../golden-of.ts'
import { scratchFolder } from '../../scratch.ts'
import { drawnSource, examples, type GoldenCase } from './tiny-classifier.ts'

type GramCase = Omit<GoldenCase, 'labels' | 'fisher'> & { readonly grams: Readonly<Record<string, readonly number[]>> }
const { cases } = goldenOf<{ cases: GramCase[] }>('model/gradient', 'gram')
const [bert] = cases as [GramCase]
const { path } = scratchFolder()

test.each(cases)('each matrix is what the inputs of its layer give: $config.model_type', async (one) => {
  const found = await gramMatrices({ config: one.config, tensors: drawnSource(one), examples })
  expect([...found.keys()].toSorted()).toEqual(Object.keys(one.grams).toSorted())
  for (const [name, wanted] of Object.entries(one.grams)) {
    const { rows, width, data } = found.get(name)!
    expect([rows, width, data.length]).toEqual([rows, rows, wanted.length])
    // both sides in float64; the file has nine digits, and sums of both signs lose some of them
    const apart = wanted.findIndex((value, k) => !(Math.abs(data[k]! - value) <= 1e-8 * Math.abs(value) + 1e-10))
    expect(apart < 0 ? undefined : [name, apart, data[apart], wanted[apart]]).toBeUndefined()
  }
})

test('texts of several packs have the mean of all their tokens', async () => {
  const many = Array.from({ length: 80 }, () => examples).flat()
  const run = (texts: typeof examples) =>
    gramMatrices({ config: bert.config, tensors: drawnSource(bert), examples: texts })
  const [once, often] = [await run(examples), await run(many)]
  for (const [name, { data }] of once)
    // sums of 80 equal numbers in another order of rounding
    data.forEach((value, k) => expect(Math.abs(often.get(name)!.data[k]! - value)).toBeLessThanOrEqual(1e-12))
})

test('no texts are refused', async () => {
  const none = gramMatrices({ config: bert.config, tensors: drawnSource(bert), examples: [] })
  await expect(none).rejects.toMatchObject({ code: 'usage.value' })
})

test('the file has each matrix under the name that a recipe looks for', async () => {
  const data = Float64Array.of(1, 2, 2, 5)
  await writeGrams(path('grams.safetensors'), new Map([['a.weight', { rows: 2, width: 2, data }]]))
  const written = await openTensors(path('grams.safetensors'))
  expect([...(await readFloat32(written, 'a.weight.gram'))]).toEqual([1, 2, 2, 5])
  expect(written.info('a.weight.gram')?.shape).toEqual([2, 2])
  await written.close()
})
