import { expect, test } from 'vitest'
import type { ModelHeaders } from '#core'
import { memorySource, mergedSource, parseRecipes, planMerge } from '#model/merge'

const model = (name: string, values: readonly number[]): ModelHeaders => ({
  model: name,
  config: { model_type: 'llama', num_hidden_layers: 1, vocab_size: 4 },
  tensors: memorySource(name, [
    { name: 'model.layers.0.self_attn.q_proj.weight', shape: [2, 2], values: Float32Array.from(values) },
  ]),
})
type Plan = ReturnType<typeof planMerge>
const inputs = [model('base', [0, 0, 0, 0]), model('one', [1, 2, 3, 4])]
const plan = (more = '', options: Parameters<typeof planMerge>[2] = {}): Plan => {
  const text = `merge_method: dare_ties\nbase_model: base\nparameters: {density: 0.5, weight: 0.5}\nmodels: [{model: one}]\n${more}`
  return planMerge(parseRecipes(text, 'test')[0]!, inputs, options)
}
const identityOf = (made: Plan, of = inputs): Promise<string> =>
  mergedSource(
    made,
    of.map(({ tensors }) => tensors),
    'merge',
  ).identity()
const vocabulary = (first: number): NonNullable<Plan['vocabulary']> => ({
  rows: 4,
  tokens: 4,
  own: [Int32Array.of(first, 1, 2, 3), Int32Array.of(0, 1, 2, 3)],
  base: 0,
  named: new Map(),
})

test('whatever decides the bytes of a merge is part of its identity', async () => {
  const same = await identityOf(plan())
  expect(await identityOf(plan())).toBe(same)
  const others: [string, Promise<string>][] = [
    ['other weights of an input', identityOf(plan(), [inputs[0]!, model('one', [1, 2, 3, 5])])],
    ['inputs that changed places', identityOf(plan(), inputs.toReversed())],
    ['another seed', identityOf(plan('', { seed: 1 }))],
    ['the arithmetic of mergekit', identityOf(plan('', { compat: 'mergekit-0.1.4' }))],
    ['that of the paper', identityOf(plan('', { compat: 'paper' }))],
    ['another type', identityOf(plan('dtype: float16\n'))],
    ['another method', identityOf({ ...plan(), method: 'dare_linear' })],
    [
      'another number',
      identityOf({ ...plan(), tensors: plan().tensors.map((tensor) => ({ ...tensor, perModel: [{ weight: 0.25 }] })) }),
    ],
    ['a joined vocabulary', identityOf({ ...plan(), vocabulary: vocabulary(0) })],
    ['another row for a token', identityOf({ ...plan(), vocabulary: vocabulary(3) })],
    [
      'a row that the recipe names',
      identityOf({
        ...plan(),
        vocabulary: { ...vocabulary(0), named: new Map([[0, { input: 1, row: 0, force: true }]]) },
      }),
    ],
  ]
  const seen = new Map([[same, 'the merge itself']])
  for (const [what, identity] of others) {
    expect({ what, equals: seen.get(await identity) }).toEqual({ what, equals: undefined })
    seen.set(await identity, what)
  }
})
