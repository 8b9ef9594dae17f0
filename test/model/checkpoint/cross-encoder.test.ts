import { describe, expect, onTestFinished, test } from 'vitest'
import type { Model } from '#model/checkpoint'
import type { ModelOptions } from '#model/passes'
import { openModel } from '#experiment/open'
import { scratchFolder } from '../../scratch.ts'
import { goldenRerankers, type GoldenReranker, writeReranker } from './golden-rerankers.ts'

const { pairs, cases } = goldenRerankers
const { path } = scratchFolder()

async function opened(
  given: GoldenReranker,
  { keys = {}, ...options }: ModelOptions & { keys?: Record<string, unknown> } = {},
): Promise<Model> {
  const folder = path(`reranker-${cases.indexOf(given)}-${JSON.stringify(keys).length}`)
  await writeReranker(folder, given, keys)
  const model = await openModel(folder, options)
  onTestFinished(() => model.close())
  return model
}

const [first] = cases as [GoldenReranker]

describe('scores of pairs', () => {
  test.each(cases)('$name', async (given) => {
    const reranker = await (await opened(given, { maxLength: given.maxLength })).reranker?.()
    const scores = (await reranker?.score(pairs)) ?? []
    // float32, in another order of summation
    expect([...scores]).toEqual(given.scores.map((score) => expect.closeTo(score, 6) as number))
  })
})

test('length and activation are settings of the model, and so of every key', async () => {
  const own = await opened(first)
  const shorter = await opened(first, { maxLength: 10 })
  const identity = await opened(first, {
    keys: { sbert_ce_default_activation_function: 'torch.nn.modules.linear.Identity' },
  })
  expect(own.settings.pairs).toEqual({ maxLength: 24, labels: 1, activation: 'sigmoid', hasTypes: true })
  expect(shorter.settings.pairs).toMatchObject({ maxLength: 10 })
  expect(identity.settings.pairs).toMatchObject({ activation: 'identity' })
})

test.each([
  ['an activation that is not known', { sbert_ce_default_activation_function: 'torch.nn.Tanh' }],
  ['an activation of somebody else', { sentence_transformers: { activation_fn: 'mine.Softer' } }],
])('%s is refused', async (_, keys) => {
  await expect(opened(first, { keys })).rejects.toThrow(/put through a function/)
})

test('a prompt is refused', async () => {
  const model = await opened(first, { prompt: 'query: ' })
  await expect(model.reranker?.()).rejects.toThrow(/without a prompt/)
})

test('a model that is read as an encoder scores no pairs', async () => {
  expect((await opened(first, { pooling: 'mean' })).reranker).toBeUndefined()
})
