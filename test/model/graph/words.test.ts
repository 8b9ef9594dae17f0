/** Weights of words inside the graph: blocks of columns, padding, texts without a token. */
import { expect, test } from 'vitest'
import { specOf } from '#model/architectures'
import { buildGraph, type WordPooling } from '#model/graph'
import { openTensors } from '#files/formats'
import { scratchFolder } from '../../scratch.ts'
import { goldenSparse, sparseCase, writeSparse } from '../checkpoint/golden-sparse.ts'
import { loadGraph } from './run-graph.ts'

const { path } = scratchFolder()
const kinds = ['max', 'sum', 'sum-twice'] as const

/** Texts of `columns` tokens, padded ones among them; 25 ids. */
async function run(words: WordPooling, mask: readonly number[], blockLogits: number, columns = 7): Promise<number[]> {
  const given = sparseCase('bert, max')
  const folder = await writeSparse(path('words'), given)
  const config = goldenSparse.contents[given.files['config.json'] ?? '']
  const tensors = await openTensors(`${folder}/model.safetensors`)
  const spec = specOf(config, { place: 'words' })
  const loaded = await loadGraph(await buildGraph(spec, tensors, { words, blockLogits }))
  const rows = mask.length / columns
  const ids = mask.map((_, i) => 2 + ((i * 5) % 20))
  const found = await loaded.run({
    input_ids: { dims: [rows, columns], data: ids },
    attention_mask: { dims: [rows, columns], data: mask },
  })
  await loaded.close()
  await tensors.close()
  return [...(found.get('words')?.data ?? [])]
}

const full = [1, 1, 1, 1, 1, 1, 1]
const padded = [1, 1, 1, 0, 0, 0, 0]

test.each(kinds)('%s is the same in blocks of two and three columns as at once', async (kind) => {
  const mask = [...full, ...padded]
  const whole = await run(kind, mask, Infinity)
  expect(whole.filter((weight) => weight > 0).length).toBeGreaterThan(10)
  for (const columns of [2, 3]) {
    const blocks = await run(kind, mask, columns * 2 * 25)
    // sums of another order in float32
    whole.forEach((weight, i) => expect(blocks[i]).toBeCloseTo(weight, kind === 'max' ? 12 : 4))
  }
})

test.each(kinds)('%s leaves padding out, wherever it stands', async (kind) => {
  const alone = await run(kind, [...padded, ...padded], Infinity)
  const left = await run(kind, [0, 0, 0, 0, 1, 1, 1, ...full], Infinity)
  const all = await run(kind, [...full, ...full], Infinity)
  expect(alone.slice(0, 25)).not.toEqual(all.slice(0, 25))
  expect(left.slice(0, 25)).not.toEqual(all.slice(0, 25))
  expect(left.slice(25)).toEqual(all.slice(25))
})

test.each(kinds)('%s of a padded text is that of the text alone, in blocks too', async (kind) => {
  const short = await run(kind, [1, 1, 1], Infinity, 3)
  for (const blockLogits of [Infinity, 2 * 25]) {
    const long = await run(kind, padded, blockLogits)
    // float32 in another order of summation
    short.forEach((weight, i) => expect(long[i]).toBeCloseTo(weight, 5))
  }
})

test.each(kinds)('%s of a text without tokens is 0 everywhere', async (kind) => {
  const found = await run(kind, [0, 0, 0, 0, 0, 0, 0, ...full], Infinity)
  expect(new Set(found.slice(0, 25))).toEqual(new Set([0]))
})
