import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import type { Matrix64 } from '#core'
import { measureMetrics, type Views } from '#experiment/metrics'
import { openModel } from '#experiment/open'
import { type Model, tokensOf } from '#model/checkpoint'
import { openStore } from '#platform/vectors'
import { metrics, type MetricValue } from '#representation/metrics'
import { augmentedViews } from '../../../src/experiment/metrics/augmented.ts'
import { makeIntervals, type MeanOfValues, meanOfValues } from '../../../src/experiment/metrics/mean-of-values.ts'
import { scratchFolder } from '../../scratch.ts'
import { shared, sharedPath } from '../../shared.ts'
import { runStore } from '../../shared-cache.ts'
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
  const opened = async (name: string): Promise<Model> =>
    openModel(await writeSmallModel(path(name)), { store: openStore(path(`${name}-vectors`)) })

  test('token metrics in batches are the mean of each text alone', async () => {
    const model = await opened('one')
    try {
      const { layers, num_samples } = await measureMetrics(
        model,
        { name: 'words', texts },
        { metrics: [metrics.sentence_entropy, metrics.curvature] },
      )
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
      const report = await measureMetrics(
        model,
        { name: 'words', texts },
        { metrics: [metrics.lidar, metrics.effective_rank] },
      )
      expect(report.skipped).toEqual(['lidar'])
      expect(Object.keys(report.layers['1'] ?? {})).toEqual(['effective_rank'])
    } finally {
      await model.close()
    }
  })
})

describe('views of a text', () => {
  const texts = [
    'the first text of them',
    'another longer text of words',
    'words that nobody knows here',
    'a b',
    'several sentences stand here',
  ]

  test('that are made are seeded, differ from the text and from each other, and keep what is short', () => {
    const [one = '', other = ''] = augmentedViews('several sentences stand here', 2, 42)
    expect(augmentedViews('several sentences stand here', 2, 42)).toEqual([one, other])
    expect(
      new Set([one, other, 'several sentences stand here', ...augmentedViews('several sentences stand here', 2, 43)])
        .size,
    ).toBe(5)
    expect(augmentedViews('a bc def', 3, 1)).toEqual(['a bc def', 'a bc def', 'a bc def'])
    // words are split and letters changed, never lost
    expect(one.replaceAll(' ', '')).toHaveLength('severalsentencesstandhere'.length)
  })

  test('and pairs are compared, as many views as a metric takes', async () => {
    const model = await openModel(await writeSmallModel(path('views')), { store: openStore(path('views-vectors')) })
    try {
      const first = ['a', 'b', 'a b', 'b a a']
      const report = async (views: Views): Promise<Record<string, MetricValue>> => {
        const { layers, skipped } = await measureMetrics(
          model,
          { name: 'words', texts },
          { metrics: [metrics.lidar, metrics.alignment, metrics.infonce], views },
        )
        expect(skipped).toEqual([])
        return layers['1'] ?? {}
      }
      expect((await report({ kind: 'pairs', first, second: first }))['alignment']).toBe(0)
      expect((await report({ kind: 'pairs', first, second: first.toReversed() }))['alignment']).toBeGreaterThan(0)
      const [four, five] = [
        await report({ kind: 'augmented', count: 4 }),
        await report({ kind: 'augmented', count: 5 }),
      ]
      expect(four['infonce']).toEqual(five['infonce'])
      expect(four['lidar']).not.toEqual(five['lidar'])
      await expect(report({ kind: 'pairs', first, second: ['a'] })).rejects.toMatchObject({ code: 'usage.value' })
    } finally {
      await model.close()
    }
  })
})

describe('values that are kept', () => {
  const texts = ['a', 'b', 'a b', 'b a a', 'b b', 'a a b']
  const asked = [metrics.effective_rank, metrics.sentence_entropy]
  const folder = path('kept')
  const opened = async (name: string, more: object = {}): Promise<Model> =>
    openModel(await writeSmallModel(path(name)), { store: openStore(path(`${name}-vectors`)), ...more })

  test('are found again by their content, whatever the corpus is called, and made anew for other texts, seeds and settings', async () => {
    const model = await opened('kept-one')
    try {
      const first = await measureMetrics(model, { name: 'one', texts }, { metrics: asked, folder })
      const files = readdirSync(folder)
      expect(files).toHaveLength(2)
      for (const file of files)
        writeFileSync(join(folder, file), readFileSync(join(folder, file), 'utf8').replaceAll(/-?\d+\.\d+/g, '7.5'))
      const again = await measureMetrics(model, { name: 'two', texts }, { metrics: asked, folder })
      expect(again.layers['1']?.['effective_rank']).toBe(7.5)
      const others = [
        await measureMetrics(model, { name: 'one', texts: texts.slice(1) }, { metrics: asked, folder }),
        await measureMetrics(model, { name: 'one', texts }, { metrics: asked, folder, seed: 1 }),
        await measureMetrics(
          model,
          { name: 'one', texts },
          { metrics: asked, folder, representations: [{ kind: 'default' }] },
        ),
      ]
      expect(others.map(({ layers }) => layers['1']?.['effective_rank'] === 7.5)).toEqual([false, false, false])
      expect(others[1]?.layers).toEqual(first.layers)
      expect(Object.keys(others[2]?.layers ?? {})).toEqual(['0', '1', 'default'])
      for (const more of [{ pooling: 'cls' }, { prompt: 'b a ' }]) {
        const other = await opened('kept-one', more)
        const { layers } = await measureMetrics(other, { name: 'one', texts }, { metrics: asked, folder })
        await other.close()
        expect([more, layers['1']?.['effective_rank'] === 7.5]).toEqual([more, false])
      }
    } finally {
      await model.close()
    }
  })

  test('that cannot be read are made again', async () => {
    const model = await opened('kept-two')
    const own = path('broken')
    try {
      const first = await measureMetrics(model, { name: 'one', texts }, { metrics: asked, folder: own })
      for (const file of readdirSync(own)) writeFileSync(join(own, file), '{')
      expect(await measureMetrics(model, { name: 'one', texts }, { metrics: asked, folder: own })).toEqual(first)
    } finally {
      await model.close()
    }
  })
})

/** Of a sine over so many texts. */
function sines(texts: number, factor = 1): MeanOfValues {
  const mean = meanOfValues()
  for (let i = 0; i < texts; i++) mean.add({ a: factor * Math.sin(i) })
  return mean
}

test('a mean over texts has an interval that holds it, narrower with more texts', () => {
  const of = (texts: number): readonly [number, number] => {
    const [{ a }] = makeIntervals([sines(texts)], { seed: 42 }) as [{ a: readonly [number, number] }]
    return a
  }
  const [few, many] = [of(30), of(3000)]
  expect(few[0]).toBeLessThan(0.1)
  expect(few[1]).toBeGreaterThan(-0.1)
  // a tenth of the width for a hundred times the texts, within the noise of 1,000 draws
  expect((few[1] - few[0]) / (many[1] - many[0])).toBeGreaterThan(7)
  expect(of(30)).toEqual(few)
})

test('intervals of several means are each that of the mean alone; of no values, and of one text, there is none', () => {
  const none = meanOfValues()
  for (let i = 0; i < 30; i++) none.add(undefined)
  const all = [sines(30), none, sines(30, -3)]
  expect(makeIntervals(all, { seed: 42 })).toEqual(all.flatMap((mean) => makeIntervals([mean], { seed: 42 })))
  expect(makeIntervals(all, { seed: 42 })[1]).toBeUndefined()
  expect(makeIntervals([sines(1)], { seed: 42 })).toEqual([undefined])
  expect(makeIntervals(all, { seed: 43 })[0]).not.toEqual(makeIntervals(all, { seed: 42 })[0])
})

describe.skipIf(shared === undefined)('the recorded metrics of MiniLM', () => {
  interface Recorded {
    metrics: Record<string, Record<string, MetricValue>>
  }
  test('of 1,000 sentences, every layer', { timeout: 300_000 }, async () => {
    const recorded = JSON.parse(readFileSync(sharedPath('specs', 'minilm_similarity_metrics.json'), 'utf8')) as Recorded
    const rowsOf = (split: string) =>
      gunzipSync(readFileSync(sharedPath('data', 'stsbenchmark', `${split}.jsonl.gz`)))
        .toString('utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as { sentence1: string; sentence2: string; score: number })
    const rows = rowsOf('test')
    const alike = rowsOf('train')
      .filter(({ score }) => score >= 4.2)
      .slice(0, 256)
    const views: Views = {
      kind: 'pairs',
      first: alike.map(({ sentence1 }) => sentence1),
      second: alike.map(({ sentence2 }) => sentence2),
    }
    const texts = [...new Set(rows.flatMap(({ sentence1, sentence2 }) => [sentence1, sentence2]))].slice(0, 1000)
    const model = await openModel(sharedPath('models', 'all-MiniLM-L6-v2'), {
      store: runStore(),
      maxLength: 256,
    })
    const asked = [
      metrics.effective_rank,
      metrics.hist_prompt_entropy,
      metrics.hist_dataset_entropy,
      metrics.knn_curvature,
      metrics.sentence_entropy,
      metrics.dataset_entropy,
      metrics.curvature,
      metrics.lidar,
      metrics.dime,
      metrics.infonce,
    ]
    try {
      const { layers } = await measureMetrics(model, { name: 'sts', texts }, { metrics: asked, views })
      for (const [h, values] of Object.entries(recorded.metrics))
        for (const { name } of asked)
          for (const [variant, want] of numbersOf(values[name], name)) {
            const got = new Map(numbersOf(layers[h]?.[name], name)).get(variant)
            // States of two engines differ by some 1e-6; a text on the edge of a bin may change sides, one of 1,000
            // moves an entropy by about 1e-3.
            const tolerance = name.startsWith('hist_') ? 2e-3 : 1e-4
            expect([h, variant, got, Math.abs((got ?? NaN) - want) <= tolerance * Math.max(1, Math.abs(want))]).toEqual(
              [h, variant, got, true],
            )
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
