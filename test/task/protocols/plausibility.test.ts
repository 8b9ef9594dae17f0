import { expect, test } from 'vitest'
import { matrix, type Embedder } from '#core'
import { randomState } from '#platform/random'
import { implausible, watched } from '#task/protocols'
import { findTasks } from '#task/registry'
import type { LoadedTask } from '#task/rows'

const width = 8
/** A vector a text: drawn for the number in it, zero for `zero …`. */
const drawn = (text: string): number[] =>
  text.startsWith('zero')
    ? Array.from({ length: width }, () => 0)
    : Array.from(randomState(Number(text.replace(/\D/g, ''))).randomSample(width))
const embedder: Embedder = {
  representation: 'default',
  width,
  embed: (texts) => Promise.resolve(matrix(texts.length, width, Float32Array.from(texts.flatMap(drawn)))),
}

test('vectors are passed on as they are, and ordinary ones are no notice', async () => {
  const watch = watched(embedder)
  const texts = Array.from({ length: 50 }, (_, i) => `text ${i}`)
  expect((await watch.model.embed([...texts, 'text 1'])).data).toEqual(
    (await embedder.embed([...texts, 'text 1'])).data,
  )
  expect(watch.notices()).toEqual([])
})

test('zeros and vectors of other texts are counted over different texts', async () => {
  const watch = watched(embedder)
  await watch.model.embed(['zero a', 'zero b', 'a 1', 'b 1', 'c 1', 'd 2', 'e 3', 'f 4', 'a 1', 'zero a'])
  expect(watch.notices()).toEqual([
    '25.0 % of the texts have a vector of zeros (2 of 8)',
    '25.0 % of the texts have the vector of another text (2 of 8)',
  ])
})

test('an accuracy that guessing reaches, and an answer without work', async () => {
  const [task] = (await findTasks(['Banking77Classification'])).tasks
  const part = { split: 'test', subset: 'default', test: { texts: ['a', 'b', 'c', 'd'], labels: [1, 1, 1, 0] } }
  const loaded = { protocol: 'AbsTaskClassification', task, parts: [part] } as unknown as LoadedTask
  const scores = (accuracy: number) => ({
    test: [{ main_score: accuracy, accuracy, hf_subset: 'default', languages: ['eng-Latn'] }],
  })
  expect(implausible(loaded, scores(0.75), 2)).toEqual([
    'default (test): the accuracy is the share of the most frequent label, 75.00 %',
  ])
  expect(implausible(loaded, scores(0.7), 2)).toEqual([])
  expect(implausible(loaded, scores(0.7), 5e-6)).toEqual(['answered in 5 µs: was anything computed?'])
  // vectors that were all cached
  expect(implausible(loaded, scores(0.7), 9e-4)).toEqual([])
})

test('more labels than a call takes arguments are counted', async () => {
  const [task] = (await findTasks(['Banking77Classification'])).tasks
  const labels = Array.from({ length: 300_000 }, (_, i) => Math.max(0, i - 150_000))
  const loaded = {
    protocol: 'AbsTaskClassification',
    task,
    parts: [{ split: 'test', subset: 'default', test: { texts: [], labels } }],
  } as unknown as LoadedTask
  const scores = {
    test: [
      { main_score: 150_001 / 300_000, accuracy: 150_001 / 300_000, hf_subset: 'default', languages: ['eng-Latn'] },
    ],
  }
  expect(implausible(loaded, scores, 2)).toEqual([
    'default (test): the accuracy is the share of the most frequent label, 50.00 %',
  ])
})
