import { expect, test } from 'vitest'
import { type AskOptions, type Embedder, matrix } from '#core'
import { makeRoom, remembering } from '../../../src/representation/layers/remembering.ts'

/** Vectors that differ from call to call, so that one from memory shows. */
function counting(): Embedder & { calls(): number } {
  let calls = 0
  return {
    representation: 'default',
    width: 2,
    embed: (texts) => Promise.resolve(matrix(texts.length, 2, new Float32Array(2 * texts.length).fill(++calls))),
    calls: () => calls,
  }
}

const sts = { name: 'STSBenchmark', type: 'STS' }

test('the same texts, asked the same way, have their vectors from memory', async () => {
  const source = counting()
  const embedder = remembering(source)
  const first = await embedder.embed(['a', 'b'], { task: sts })
  expect(await embedder.embed(['a', 'b'], { task: { ...sts } })).toBe(first)
  expect(source.calls()).toBe(1)
})

test.each<[string, string[], AskOptions]>([
  ['other texts', ['a', 'c'], { task: sts }],
  ['fewer texts', ['a'], { task: sts }],
  ['another order', ['b', 'a'], { task: sts }],
  ['another side', ['a', 'b'], { task: sts, promptType: 'query' }],
  ['another task', ['a', 'b'], { task: { ...sts, name: 'SICK-R' } }],
  ['another instruction', ['a', 'b'], { task: { ...sts, prompt: 'Judge.' } }],
])('%s are asked of the model', async (_, texts, call) => {
  const source = counting()
  const embedder = remembering(source)
  await embedder.embed(['a', 'b'], { task: sts })
  const { data } = await embedder.embed(texts, call)
  expect([data[0], source.calls()]).toEqual([2, 2])
})

test('vectors beyond the room are asked for again, those within it are not', async () => {
  const source = counting()
  const embedder = remembering(source, makeRoom(16))
  for (const texts of [['a', 'b', 'c'], ['a'], ['b'], ['c']]) await embedder.embed(texts)
  for (const texts of [['a'], ['b']]) await embedder.embed(texts)
  expect(source.calls()).toBe(4)
  for (const texts of [['c'], ['a', 'b', 'c']]) await embedder.embed(texts)
  expect(source.calls()).toBe(6)
})
