import { expect, test } from 'vitest'
import { type Dtype, elementCount, type ModelHeaders } from '#core'
import { narrow, openTensors, writeSafetensors } from '#files/formats'
import { taskVectorCosines } from '#model/merge'
import { randomState } from '#platform/random'
import { goldenOf } from '../../../golden-of.ts'
import { scratchFolder } from '../../../scratch.ts'

interface Golden {
  readonly config: Readonly<Record<string, unknown>>
  readonly seed: number
  readonly tensors: readonly (readonly [name: string, shape: readonly number[]])[]
  readonly dtypes: readonly Dtype[]
  readonly cosines: readonly (readonly number[])[]
}

const golden = goldenOf<Golden>('model/merge', 'task-vectors')
const { path } = scratchFolder()

type Change = (name: string, values: Float32Array, model: number) => Float32Array | undefined

/** The ancestor and its models, as `oracles/task_vectors.py` draws them. */
async function drawnModels(folder: string, change: Change = (_, values) => values): Promise<ModelHeaders[]> {
  const draws = randomState(golden.seed)
  const models: ModelHeaders[] = []
  for (const [at, dtype] of golden.dtypes.entries()) {
    const written = golden.tensors.flatMap(([name, shape]) => {
      const drawn = Float32Array.from(draws.randomSample(elementCount(shape)), (value) => value - 0.5)
      const values = change(name, drawn, at)
      if (values === undefined) return []
      const own = values.length === drawn.length ? shape : [values.length]
      return [{ name, dtype, shape: own, bytes: narrow(values, dtype) }]
    })
    const file = path(`${folder}-${at}.safetensors`)
    await writeSafetensors(file, written)
    models.push({ model: `model ${at}`, tensors: await openTensors(file), config: golden.config })
  }
  return models
}

async function cosinesOf(
  [base, ...models]: readonly ModelHeaders[],
  options?: Parameters<typeof taskVectorCosines>[2],
): Promise<number[]> {
  if (base === undefined) throw new Error('no base')
  try {
    return [...(await taskVectorCosines(models, base, options))]
  } finally {
    for (const { tensors } of [base, ...models]) await tensors.close()
  }
}

test('cosines are those of NumPy in float64, in blocks of any size', async () => {
  const wanted = golden.cosines.flat()
  for (const blockElements of [undefined, 1, 7]) {
    const found = await cosinesOf(await drawnModels('golden'), { blockElements })
    // sums of some 250 products in another order: about 250 × 2^-53
    found.forEach((value, at) => expect(Math.abs(value - (wanted[at] ?? NaN))).toBeLessThan(1e-13))
  }
})

test('tensors that lie in no file as they are give the same bits', async () => {
  const apart = (await drawnModels('apart')).map((one) => ({
    ...one,
    tensors: { ...one.tensors, locate: () => undefined },
  }))
  const options = { blockElements: 7 }
  expect(await cosinesOf(apart, options)).toEqual(await cosinesOf(await drawnModels('whole'), options))
})

test('heads, buffers and what only the base has take no part', async () => {
  const [whole, other] = [await cosinesOf(await drawnModels('own')), []] as [number[], number[]]
  const models = await drawnModels('heads', (name, values, model) => {
    if (name.startsWith('classifier')) return model === 0 ? undefined : values.map((value, i) => 40 * value + i)
    return values
  })
  other.push(...(await cosinesOf(models)))
  expect(other).toEqual(whole)
})

test('a pair has the same bits alone, with others, and in rows', async () => {
  const whole = await cosinesOf(await drawnModels('all'))
  const [base, first, second, third] = await drawnModels('two')
  await second?.tensors.close()
  expect((await cosinesOf([base, first, third].flatMap((one) => one ?? [])))[1]).toBe(whole[2])
  const rows = await cosinesOf(await drawnModels('rows'), { rows: [1] })
  expect(rows).toEqual(whole.map((value, at) => (at === 2 || at === 6 ? 0 : value)))
})

test('a model that is the base has no direction', async () => {
  const [base, first, second, third] = await drawnModels('none')
  for (const unread of [first, third]) await unread?.tensors.close()
  const own = [base, base, second].flatMap((one) => one ?? [])
  expect(await cosinesOf(own)).toEqual([0, 0, 0, 1])
})

test.each([
  ['tensor.missing', 'model 2', (_, values, model) => (model === 2 ? undefined : values)],
  ['tensor.missing', 'model 0', (_, values, model) => (model === 0 ? undefined : values)],
  ['tensor.shape', 'model 3 › ', (_, values, model) => (model === 3 ? values.slice(1) : values)],
  ['tensor.value', 'model 2', (_, values, model) => (model === 2 ? values.fill(NaN, 0, 1) : values)],
] satisfies [string, string, Change][])('%s of %s is named', async (code, place, change) => {
  const models = await drawnModels('wrong', (name, values, model) =>
    name.endsWith('query.bias') ? change(name, values, model) : values,
  )
  await expect(cosinesOf(models)).rejects.toMatchObject({ code, message: expect.stringContaining(place) as string })
})

test('weights that are whole numbers are refused', async () => {
  const [base, first, ...others] = await drawnModels('whole')
  const file = path('integers.safetensors')
  const written = golden.tensors.map(([name, shape]) => {
    const bytes = new Uint8Array(elementCount(shape))
    return { name, dtype: 'I8', shape, bytes } as const
  })
  await writeSafetensors(file, written)
  const model = { model: 'integers', tensors: await openTensors(file), config: golden.config }
  await expect(cosinesOf([base, first, model].flatMap((one) => one ?? []))).rejects.toMatchObject({
    code: 'tensor.dtype',
  })
  for (const { tensors } of others) await tensors.close()
})
