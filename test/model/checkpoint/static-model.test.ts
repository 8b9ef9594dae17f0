import { expect, test } from 'vitest'
import { openModel } from '#experiment/open'
import { writeSmallModel } from '../../experiment/encode/small-model.ts'
import { scratchFolder } from '../../scratch.ts'

const { path } = scratchFolder()
const table = (last: number) => ({ shape: [4, 2], values: [0, 0, 9, 9, 1, 0, 0, last] })
const vocabulary = (a: string) => ({
  model: { type: 'WordLevel', vocab: { '[PAD]': 0, '[UNK]': 1, [a]: 2, b: 3 }, unk_token: '[UNK]' },
})

/** What the fingerprints of results hold of a model2vec folder with these changes. */
async function identityOf(changes: Readonly<Record<string, object>>): Promise<unknown> {
  const folder = await writeSmallModel(path('table'), {
    'config.json': { model_type: 'model2vec', normalize: false, ...changes['config.json'] },
    'tokenizer.json': { ...vocabulary('a'), ...changes['tokenizer.json'] },
    'model.safetensors': { embeddings: table(1), ...changes['model.safetensors'] },
  })
  const model = await openModel(folder)
  return { identity: await model.identity().finally(() => model.close()), settings: model.settings }
}

test('a static table is another one with another rule, length, token or row', async () => {
  const all = [
    {},
    { 'config.json': { normalize: true } },
    { 'config.json': { max_length: 3 } },
    { 'tokenizer.json': vocabulary('c') },
    { 'model.safetensors': { embeddings: table(2) } },
    { 'model.safetensors': { weights: { shape: [4], values: [1, 1, 1, 2] } } },
  ]
  const seen = new Set<string>()
  for (const changes of all) seen.add(JSON.stringify(await identityOf(changes)))
  expect(seen.size).toBe(all.length)
  expect(seen).toContain(JSON.stringify(await identityOf({})))
})

test('its encoder reports the tokens that were looked up, as a bench counts them', async () => {
  const folder = await writeSmallModel(path('counted'), {
    'config.json': { model_type: 'model2vec' },
    'tokenizer.json': vocabulary('a'),
    'model.safetensors': { embeddings: table(1) },
  })
  const model = await openModel(folder)
  const heard: number[][] = []
  const encoder = await model.encoder()
  await encoder.encode(['a b c', 'b'], null, { onRows: (rows, tokens) => void heard.push([rows, tokens]) })
  await model.close()
  expect(heard).toEqual([[2, 3]])
})
