import { describe, expect, test } from 'vitest'
import { Fault, type Progress } from '#core'
import { diagonalFisher, type FisherOptions } from '#model/gradient'
import { cases, drawnSource, examples } from './tiny-classifier.ts'

const bert = cases.find(({ config, labels }) => config.model_type === 'bert' && labels === 'labelled')!
const roberta = cases.find(({ config, labels }) => config.model_type === 'xlm-roberta' && labels === 'labelled')!
const llama = cases.find(({ config, labels }) => config.model_type === 'llama' && labels === 'labelled')!

function run(options: Partial<FisherOptions> = {}): Promise<Map<string, Float32Array>> {
  const { config, labels } = bert
  return diagonalFisher({ config, tensors: drawnSource(bert), examples, labels, ...options })
}

test.each(cases)('the diagonal is that of autograd: $config.model_type of seed $seed, $labels', async (one) => {
  const { config, labels, seed, fisher, tensors } = one
  const found = await diagonalFisher({ config, tensors: drawnSource(one), examples, labels, seed })
  expect([...found.keys()].toSorted()).toEqual(tensors.map(([name]) => name).toSorted())
  for (const [name, wanted] of Object.entries(fisher)) {
    const values = found.get(name)!
    expect(values.length).toBe(wanted.length)
    // both sides compute in float64; the file has 8 digits, the result those of float32, together 1.1e-7. Gradients that
    // are 0 in theory, as those of the keys' biases, are rounding errors below 1e-14 on both sides
    const apart = wanted.findIndex((value, k) => !(Math.abs(values[k]! - value) <= 2e-7 * value + 1e-28))
    expect(apart < 0 ? undefined : [name, apart, values[apart], wanted[apart]]).toBeUndefined()
  }
})

test('texts of several packs have the mean of all', async () => {
  // 80 times 19 tokens: six packs
  const many = Array.from({ length: 80 }, () => examples).flat()
  const progress: Progress[] = []
  const [once, often] = [await run(), await run({ examples: many, onProgress: (one) => progress.push(one) })]
  // sums of 80 equal numbers in another order of rounding
  for (const [name, values] of once) values.forEach((value, k) => expectNear(often.get(name)![k]!, value))
  expect(progress.length).toBeGreaterThan(4)
  expect(progress.at(-1)).toMatchObject({ done: 320, unit: 'texts' })
})

test('draws continue from pack to pack', async () => {
  const many = Array.from({ length: 80 }, () => examples).flat()
  const values = async (part: FisherOptions['examples']): Promise<Float32Array> =>
    (await run({ examples: part, labels: 'sampled', seed: 5 })).get('classifier.bias')!
  const [expected, sampled] = [(await run({ labels: 'expected' })).get('classifier.bias')!, await values(many)]
  const few = await values(examples)
  // 320 draws come closer to the mean over all classes than 4 of them repeated
  const distance = (a: Float32Array): number => Math.max(...a.map((value, k) => Math.abs(value - expected[k]!)))
  expect(distance(sampled)).toBeLessThan(0.03)
  expect(distance(few)).toBeGreaterThan(0.03)
})

test('an aborted run ends', async () => {
  await expect(run({ signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow('enough')
})

function expectNear(value: number, wanted: number): void {
  expect(Math.abs(value - wanted)).toBeLessThanOrEqual(2e-7 * wanted + 1e-28)
}

describe('refused', () => {
  const withConfig = (changes: Readonly<Record<string, unknown>>, one = bert): Partial<FisherOptions> => ({
    config: { ...one.config, ...changes },
  })
  const withText = (ids: readonly number[], label = 0): Partial<FisherOptions> => ({ examples: [{ ids, label }] })
  const query = 'bert.encoder.layer.1.attention.self.query.weight'
  const refusals: readonly (readonly [string, Partial<FisherOptions>, string, string])[] = [
    ['another class', withConfig({ architectures: ['BertModel'] }), 'config.family', 'BertForSequenceClassification'],
    ['another activation', withConfig({ hidden_act: 'relu' }), 'config.value', 'hidden_act'],
    ['a decoder', withConfig({ is_decoder: true }), 'config.unsupported', 'is_decoder'],
    [
      'relative positions',
      withConfig({ position_embedding_type: 'relative_key' }),
      'config.unsupported',
      'position_embedding_type',
    ],
    ['a regression', withConfig({ problem_type: 'regression' }), 'config.unsupported', 'problem_type'],
    ['a missing tensor', { tensors: drawnSource(bert, { [query]: undefined }) }, 'tensor.missing', query],
    ['another shape', { tensors: drawnSource(bert, { [query]: [4, 16] }) }, 'tensor.shape', query],
    ['other labels', withConfig({ id2label: { 0: 'a', 1: 'b' } }), 'tensor.shape', 'classifier.weight'],
    ['no texts', { examples: [] }, 'usage.value', 'examples'],
    ['no tokens', withText([]), 'usage.value', 'has no tokens'],
    ['an unknown id', withText([3, 20]), 'usage.value', 'outside the vocabulary'],
    ['a pad', withText([3, 0]), 'usage.value', 'pad id'],
    ['too long a text', withText(Array.from({ length: 13 }, () => 3)), 'usage.value', 'at most 12'],
    ['an unknown label', withText([3], 3), 'usage.value', 'from 0 to 2'],
    ['no label', { examples: [{ ids: [3] }] }, 'usage.value', 'example 0: has no label'],
  ]

  test.each(refusals)('%s', async (_, options, code, said) => {
    const error = await run(options).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(Fault)
    expect(error).toMatchObject({ code, message: expect.stringContaining(said) })
  })

  const key = 'model.layers.1.self_attn.k_proj.weight'
  const scaled = (rope_scaling: unknown): Readonly<Record<string, unknown>> => ({ rope_scaling })
  const ofLlama: readonly (readonly [string, Partial<FisherOptions>, string, string])[] = [
    ['another activation', withConfig({ hidden_act: 'gelu' }, llama), 'config.value', 'wanted silu'],
    ['another family', withConfig({ model_type: 'mistral' }, llama), 'config.family', 'model_type'],
    [
      'dynamic scaling',
      withConfig(scaled({ rope_type: 'dynamic', factor: 2 }), llama),
      'config.unsupported',
      'rope_scaling: scaling by the length of a batch (dynamic)',
    ],
    [
      'longrope',
      withConfig(scaled({ rope_type: 'longrope', short_factor: [1, 1], long_factor: [2, 2] }), llama),
      'config.unsupported',
      'rope_scaling: scaling by the length of a batch (longrope)',
    ],
    [
      'a head that turns in part',
      withConfig({ partial_rotary_factor: 0.5 }, llama),
      'config.unsupported',
      'partial_rotary_factor',
    ],
    ['a missing tensor', { tensors: drawnSource(llama, { [key]: undefined }) }, 'tensor.missing', key],
    ['keys of another shape', { tensors: drawnSource(llama, { [key]: [16, 8] }) }, 'tensor.shape', key],
    ['other labels', withConfig({ id2label: { 0: 'a', 1: 'b' } }, llama), 'tensor.shape', 'score.weight'],
    ['a pad', withText([3, 0]), 'usage.value', 'pad id'],
    ['too long a text', withText(Array.from({ length: 13 }, () => 3)), 'usage.value', 'at most 12'],
  ]

  test.each(ofLlama)('LLaMA: %s', async (_, options, code, said) => {
    const { config } = llama
    const error = await run({ config, tensors: drawnSource(llama), ...options }).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(Fault)
    expect(error).toMatchObject({ code, message: expect.stringContaining(said) })
  })

  test('a text longer than the positions that RoBERTa leaves', async () => {
    const texts = [{ ids: Array.from({ length: 11 }, () => 3), label: 0 }]
    const { config, labels } = roberta
    await expect(
      diagonalFisher({ config, tensors: drawnSource(roberta), examples: texts, labels }),
    ).rejects.toMatchObject({ code: 'usage.value', message: expect.stringContaining('at most 10') })
  })
})

test('a class that is drawn needs no label', async () => {
  const unlabelled = examples.map(({ ids }) => ({ ids }))
  expect((await run({ examples: unlabelled, labels: 'sampled' })).size).toBe(bert.tensors.length)
})
