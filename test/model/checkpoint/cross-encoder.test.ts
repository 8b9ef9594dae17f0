import { describe, expect, onTestFinished, test } from 'vitest'
import { type Model, openReranker } from '#model/checkpoint'
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
    // the references' own words are 1e-5: float32, in another order of summation, and logits without an activation
    expect([...scores]).toEqual(given.scores.map((score) => expect.closeTo(score, 5) as number))
  })
})

test('length and activation are settings of the model, and so of every key', async () => {
  const own = await opened(first)
  const shorter = await opened(first, { maxLength: 10 })
  const identity = await opened(first, {
    keys: { sbert_ce_default_activation_function: 'torch.nn.modules.linear.Identity' },
  })
  expect(own.settings.pairs).toEqual({ maxLength: 24, labels: 1, activation: 'Sigmoid', hasTypes: true })
  expect(shorter.settings.pairs).toMatchObject({ maxLength: 10 })
  expect(identity.settings.pairs).toMatchObject({ activation: 'Identity' })
})

test.each([
  ['an activation that is not known', { sbert_ce_default_activation_function: 'torch.nn.Softmax' }],
  ['an activation of somebody else', { sentence_transformers: { activation_fn: 'mine.Softer' } }],
])('%s is refused', async (_, keys) => {
  await expect(opened(first, { keys })).rejects.toThrow(/unknown activation/)
})

describe('prompts', () => {
  const asked = cases.find(({ name }) => name.includes('a prompt in front')) as GoldenReranker
  const pair = [['cat', 'the cat sleeps .']] as const

  test('stand in front of the query, and are part of every key', async () => {
    const literal = await opened(first, { prompt: 'what is ' })
    const reranker = await literal.reranker?.()
    const worded = await (await opened(first)).reranker?.()
    expect(await reranker?.score(pair)).toEqual(await worded?.score([['what is cat', 'the cat sleeps .']]))
    expect(literal.settings.pairs).toMatchObject({ prompt: 'what is ' })
  })

  test('are chosen by name among those of the folder', async () => {
    expect((await opened(asked)).settings.pairs).toMatchObject({ prompt: 'what is ' })
    expect((await opened(asked, { promptName: 'other' })).settings.pairs).toMatchObject({ prompt: 'dog' })
    await expect(opened(asked, { promptName: 'mine' })).rejects.toThrow(/no prompt of this name/)
  })
})

describe('a causal model', () => {
  const causal = cases.find(({ name }) => name === 'qwen3, yes or no') as GoldenReranker
  const chat = cases.find(({ name }) => name.includes('a LogitScore behind a chat')) as GoldenReranker
  const settings = 'config_sentence_transformers.json'

  async function written(name: string, given: GoldenReranker): Promise<Model> {
    const folder = path(name)
    await writeReranker(folder, given)
    const model = await openModel(folder)
    onTestFinished(() => model.close())
    return model
  }

  test('that nothing calls a reranker says which file would', async () => {
    const plain = await written('writer', causal)
    expect(plain.reranker).toBeUndefined()
    await expect(openReranker(plain)).rejects.toMatchObject({
      code: 'config.unsupported',
      hint: expect.stringContaining(settings) as string,
    })
    const said = await written('said', {
      ...causal,
      files: { ...causal.files, [settings]: { model_type: 'CrossEncoder' } },
    })
    expect(said.settings.pairs).toMatchObject({ wording: 'qwen3', activation: 'Sigmoid' })
  })

  test('without the tokens yes and no names the file that gives others', async () => {
    const { model: words, ...rest } = causal.files['tokenizer.json'] as { model: { vocab: object; merges: string[][] } }
    const vocab = Object.fromEntries(Object.entries(words.vocab).filter(([token]) => token !== 'yes'))
    const merges = words.merges.filter((pair) => pair.join('') !== 'yes')
    const tokenizer = { ...rest, model: { ...words, vocab, merges } }
    const model = await written('rerank-mute', { ...causal, files: { ...causal.files, 'tokenizer.json': tokenizer } })
    expect(model.reranker).toBeUndefined()
    expect(model.rerankerLacks?.hint).toContain('1_LogitScore/config.json')
  })

  test('whose chat template shows no pair names the template', async () => {
    const template = '{% for m in messages %}{% if m.role == "user" %}{{ m.content }}{% endif %}{% endfor %}'
    const mute = { ...chat, files: { ...chat.files, 'chat_template.jinja': template } }
    const config = { ...(chat.files['config.json'] as object), architectures: ['LlamaForCausalLM'] }
    const model = await written('rerank-closed', { ...mute, files: { ...mute.files, 'config.json': config } })
    expect(model.reranker).toBeUndefined()
    expect(model.rerankerLacks?.hint).toContain('chat_template.jinja')
  })

  test('whose score is the logit of a token that it does not have is refused', async () => {
    const score = { true_token_id: 9999, false_token_id: null, module_input_name: 'causal_logits' }
    const files = { ...chat.files, '1_LogitScore/config.json': score }
    await expect(openReranker(await written('beyond', { ...chat, files }))).rejects.toThrow(/does not have – 9999/)
  })

  test('refuses a length that its words alone fill', async () => {
    const reranker = await (await opened(causal, { maxLength: 100 })).reranker?.()
    await expect(reranker?.score(pairs)).rejects.toThrow(/leave no room/)
  })
})

test('the first layers with the head on top score as a checkpoint of these layers alone', async () => {
  const scores = async (options: Parameters<typeof opened>[1]): Promise<Float32Array | undefined> =>
    (await (await opened(first, options)).reranker?.())?.score(pairs)
  const cut = await scores({ layers: 1 })
  expect(cut).toEqual(await scores({ keys: { num_hidden_layers: 1 } }))
  expect(cut).not.toEqual(await scores({}))
})

test('a model that is read as an encoder scores no pairs', async () => {
  expect((await opened(first, { pooling: 'mean' })).reranker).toBeUndefined()
})
