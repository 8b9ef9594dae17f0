import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { measureSimilarity } from '#experiment/similarity'
import { readCorpus } from '#experiment/encode'
import { openModel } from '#experiment/open'
import { openStore } from '#platform/vectors'
import { similarities } from '#representation/similarity'
import { scratchFolder } from '../../scratch.ts'
import { shared, sharedPath } from '../../shared.ts'
import { runStore } from '../../shared-cache.ts'
import { writeSmallModel } from '../encode/small-model.ts'

const { path } = scratchFolder()
const lines = (texts: readonly string[]) =>
  (async function* () {
    await Promise.resolve()
    yield texts.map((text) => ({ text }))
  })()

describe('a corpus', () => {
  const texts = ['a', 'b', 'c', 'd', 'e', 'f']
  test('is the first texts, or a seeded sample in their order', async () => {
    expect(await readCorpus('x', lines(texts), { most: 2 })).toEqual({ name: 'x', texts: ['a', 'b'] })
    const sample = await readCorpus('x', lines(texts), { most: 3, drawn: { seed: 1 } })
    expect(sample.texts).toHaveLength(3)
    expect(sample.texts).toEqual(sample.texts.toSorted())
    expect(await readCorpus('x', lines(texts), { most: 3, drawn: { seed: 1 } })).toEqual(sample)
    const others = await Promise.all(
      [2, 3, 4, 5].map((seed) => readCorpus('x', lines(texts), { most: 3, drawn: { seed } })),
    )
    expect(others.some((other) => other.texts.join() !== sample.texts.join())).toBe(true)
    expect((await readCorpus('x', lines(texts), { most: 9, drawn: { seed: 1 } })).texts).toEqual(texts)
  })
  test('without texts is refused', async () => {
    await expect(readCorpus('empty', lines([]))).rejects.toMatchObject({ code: 'usage.value' })
  })
})

describe('layers of a small model', () => {
  const texts = ['a', 'b', 'a b', 'b a a', 'b b', 'a a b', 'b a', 'a b b b']
  const opened = async (name: string) =>
    openModel(await writeSmallModel(path(name)), { store: openStore(path(`${name}-vectors`)) })

  test('one model with itself, and with another, from one pass a text', async () => {
    const [model, other] = [await opened('one'), await opened('two')]
    try {
      const encoded: number[] = []
      const options = {
        metrics: [similarities.cka, similarities.rsa],
        sampleSize: 5,
        trials: 3,
        onProgress: ({ stage, done, total }: { stage: string; done: number; total: number | undefined }) =>
          stage === 'encode' && done === total && encoded.push(total),
      }
      const own = await measureSimilarity([model], { name: 'words', texts }, options)
      expect(own).toMatchObject({
        num_layers: 2,
        num_samples: 8,
        sample_size: 5,
        trials: 3,
        against: null,
        dataset: 'words',
        hidden_size: 4,
      })
      expect(Object.keys(own.metrics)).toEqual(['CKA', 'RSA'])
      expect(own.metrics['CKA']?.mean[0]?.[0]).toBeCloseTo(1, 6)
      expect(own.metrics['CKA']?.mean[0]?.[1]).toBeCloseTo(own.metrics['CKA']?.mean[1]?.[0] ?? NaN, 9)
      // texts of three trials overlap: each is encoded once
      expect(encoded.reduce((sum, total) => sum + total, 0)).toBeLessThanOrEqual(8 * 2)
      const both = await measureSimilarity([model, other], { name: 'words', texts }, options)
      expect(both.against?.model).toBe('two')
      // the same weights in another folder
      expect(both.metrics['CKA']?.mean).toEqual(
        own.metrics['CKA']?.mean.map((row) => row.map((value) => expect.closeTo(value, 6) as number)),
      )
    } finally {
      await Promise.all([model.close(), other.close()])
    }
  })
})

describe.skipIf(shared === undefined)('the recorded matrices of MiniLM', () => {
  interface Recorded {
    similarity_matrices: Record<'CKA' | 'RSA', number[][]>
  }
  test('CKA and RSA of 1,000 sentences', async () => {
    const recorded = JSON.parse(readFileSync(sharedPath('specs', 'minilm_similarity_metrics.json'), 'utf8')) as Recorded
    const rows = gunzipSync(readFileSync(sharedPath('data', 'stsbenchmark', 'test.jsonl.gz')))
      .toString('utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as { sentence1: string; sentence2: string })
    const texts = [...new Set(rows.flatMap(({ sentence1, sentence2 }) => [sentence1, sentence2]))].slice(0, 1000)
    const model = await openModel(sharedPath('models', 'all-MiniLM-L6-v2'), {
      store: runStore(),
      maxLength: 256,
    })
    try {
      const { metrics } = await measureSimilarity(
        [model],
        { name: 'sts', texts },
        { metrics: [similarities.cka, similarities.rsa] },
      )
      for (const title of ['CKA', 'RSA'] as const)
        recorded.similarity_matrices[title].forEach((row, i) =>
          row.forEach((value, j) => {
            // States of two engines differ by some 1e-6 of their norm, and ranks of near pairs with them.
            expect(Math.abs((metrics[title]?.mean[i]?.[j] ?? NaN) - value)).toBeLessThan(1e-5)
          }),
        )
    } finally {
      await model.close()
    }
  })
})
