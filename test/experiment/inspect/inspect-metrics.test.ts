import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import type { Matrix64 } from '#core'
import { inspectMetrics } from '#experiment/inspect'
import { openModel } from '#experiment/open'
import { type Model, tokensOf } from '#model/checkpoint'
import { openStore } from '#platform/vectors'
import { metrics, type MetricValue } from '#representation/metrics'
import { meanOfValues } from '../../../src/experiment/inspect/mean-of-values.ts'
import { scratchFolder } from '../../scratch.ts'
import { shared, sharedPath } from '../../shared.ts'
import { writeSmallModel } from '../encode/small-model.ts'

const { path } = scratchFolder()

test('a mean of values counts what is defined, number by number', () => {
  const mean = meanOfValues()
  expect(mean.value()).toBeUndefined()
  for (const value of [{ a: 1, b: { c: 2 } }, undefined, { a: 3, b: { c: NaN } }, { a: 5 }]) mean.add(value)
  expect(mean.value()).toEqual({ a: 3, b: { c: 2 } })
})

describe('layers of a small model', () => {
  const texts = ['a', 'b', 'a b', 'b a a', 'b b', 'a a b', 'b a', 'a b b b', 'a a a a b b', 'b a b a']
  const opened = async (name: string): Promise<Model> => openModel(await writeSmallModel(path(name)), { store: openStore(path(`${name}-vectors`)) })

  test('token metrics in batches are the mean of each text alone', async () => {
    const model = await opened('one')
    try {
      const { layers, num_samples } = await inspectMetrics(model, { name: 'words', texts }, { metrics: [metrics.sentence_entropy, metrics.curvature] })
      expect([num_samples, Object.keys(layers)]).toEqual([10, ['0', '1']])
      for (const h of [0, 1]) {
        const want = meanOfValues()
        for (const text of texts) {
          const batch = await tokensOf(model).batch([text], { prompt: null, side: 'right' })
          const [output] = await tokensOf(model).run({ batch, states: [h] })
          const tokens: Matrix64 = { rows: batch.cols, width: 4, data: Float64Array.from(output?.data ?? []) }
          want.add(await metrics.sentence_entropy.of(tokens))
        }
        const [got, alone] = [layers[String(h)]?.['sentence_entropy'], want.value()] as Record<string, number>[]
        expect(Object.keys(got ?? {}).length).toBeGreaterThan(5)
        // float32 states of a padded batch
        for (const [name, value] of Object.entries(alone ?? {})) expect(got?.[name]).toBeCloseTo(value, 5)
      }
    } finally {
      await model.close()
    }
  })

  test('metrics of views are left out by name; a static table has no layers', async () => {
    const model = await opened('two')
    try {
      const report = await inspectMetrics(model, { name: 'words', texts }, { metrics: [metrics.lidar, metrics.effective_rank] })
      expect(report.skipped).toEqual(['lidar'])
      expect(Object.keys(report.layers['1'] ?? {})).toEqual(['effective_rank'])
    } finally {
      await model.close()
    }
  })
})

describe.skipIf(shared === undefined)('the recorded metrics of MiniLM', () => {
  interface Recorded {
    metrics: Record<string, Record<string, MetricValue>>
  }
  test('of 1,000 sentences, every layer', { timeout: 300_000 }, async () => {
    const recorded = JSON.parse(readFileSync(sharedPath('specs', 'minilm_similarity_metrics.json'), 'utf8')) as Recorded
    const rows = gunzipSync(readFileSync(sharedPath('data', 'stsbenchmark', 'test.jsonl.gz')))
      .toString('utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as { sentence1: string; sentence2: string })
    const texts = [...new Set(rows.flatMap(({ sentence1, sentence2 }) => [sentence1, sentence2]))].slice(0, 1000)
    const model = await openModel(sharedPath('models', 'all-MiniLM-L6-v2'), { store: openStore(path('minilm')), maxLength: 256 })
    const asked = [
      metrics.effective_rank,
      metrics.hist_prompt_entropy,
      metrics.hist_dataset_entropy,
      metrics.knn_curvature,
      metrics.sentence_entropy,
      metrics.dataset_entropy,
      metrics.curvature,
    ]
    try {
      const { layers } = await inspectMetrics(model, { name: 'sts', texts }, { metrics: asked })
      for (const [h, values] of Object.entries(recorded.metrics))
        for (const { name } of asked)
          for (const [variant, want] of numbersOf(values[name], name)) {
            const got = new Map(numbersOf(layers[h]?.[name], name)).get(variant)
            // States of two engines differ by some 1e-6; a text on the edge of a bin may change sides, one of 1,000 moves an entropy by about 1e-3.
            const tolerance = name.startsWith('hist_') ? 2e-3 : 1e-4
            expect([h, variant, got, Math.abs((got ?? NaN) - want) <= tolerance * Math.max(1, Math.abs(want))]).toEqual([h, variant, got, true])
          }
    } finally {
      await model.close()
    }
  })
})

function numbersOf(value: unknown, path: string): [string, number][] {
  if (typeof value === 'number') return [[path, value]]
  return Object.entries(value ?? {}).flatMap(([name, inner]) => numbersOf(inner, `${path}.${name}`))
}
