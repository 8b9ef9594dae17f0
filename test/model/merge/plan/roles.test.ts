/** Plans go by what the family says its tensors are, where names alone would mislead. */
import { expect, test } from 'vitest'
import type { ModelHeaders } from '#core'
import { layoutOf, memorySource, mergedSource, parseRecipes, planMerge } from '#model/merge'

const layers = [0, 1].map((i) => `model.layers.${i}.attn.Wo.weight`)
const names = [
  'model.embeddings.tok_embeddings.weight',
  'model.embeddings.norm.weight',
  ...layers,
  'model.final_norm.weight',
  'head.dense.weight',
]

const modernbert = (model: string): ModelHeaders => ({
  model,
  config: { model_type: 'modernbert', vocab_size: 4 },
  tensors: memorySource(
    model,
    names.map((name) => ({ name, shape: [4, 2], values: Float32Array.from({ length: 8 }, (_, i) => i) })),
  ),
})

const slice = (model: string, from: number): string =>
  `- sources: [{model: ${model}, layer_range: [${from}, ${from + 1}]}]\n`
const recipeOf = (text: string): Parameters<typeof planMerge>[0] => parseRecipes(text, 'test')[0]!

test('the norm of the embeddings comes from the first slice, the masked head from the last', () => {
  const inputs = ['one', 'two'].map(modernbert)
  const plan = planMerge(recipeOf(`merge_method: passthrough\nslices:\n${slice('one', 0)}${slice('two', 1)}`), inputs)
  const from = Object.fromEntries(
    plan.tensors.map(({ name, operands }) => [name, plan.inputs[operands[0]?.input ?? -1]]),
  )
  expect(names.map((name) => from[name])).toEqual(['one', 'one', 'one', 'two', 'two', 'two'])
})

const lines = (model: ModelHeaders): ReturnType<typeof planMerge> =>
  planMerge(
    recipeOf('merge_method: lines\nbase_model: base\nparameters: {alpha: 0.5, beta: 1}\nmodels: [{model: one}]\n'),
    [modernbert('base'), model],
  )

test('order in files and in plans goes by names alone', () => {
  const { tensors } = lines(modernbert('one'))
  const inFile = layoutOf(tensors).shards.flatMap((shard) => shard.tensors.map(({ name }) => name))
  expect(inFile).toEqual([names[5], names[0], ...layers, names[1], names[4]])
  expect(tensors.map(({ name }) => name)).toEqual([names[0], names[5], names[1], names[4], ...layers])
})

test('a depth that only the family knows is part of a merge’s identity under LiNeS, and of no other', async () => {
  const sources = [modernbert('base').tensors, modernbert('one').tensors]
  const identity = (plan: ReturnType<typeof planMerge>): Promise<string> =>
    mergedSource(plan, sources, 'merge').identity()
  const plan = lines(modernbert('one'))
  const turned = {
    ...plan,
    tensors: plan.tensors.map((tensor) => (tensor.name === names[5] ? { ...tensor, side: 'before' as const } : tensor)),
  }
  expect(await identity(turned)).not.toBe(await identity(plan))
  expect(await identity({ ...turned, method: 'linear' })).toBe(await identity({ ...plan, method: 'linear' }))
})
