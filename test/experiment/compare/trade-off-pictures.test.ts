import { beforeAll, expect, test } from 'vitest'
import {
  type Comparison,
  comparisonTables,
  compareModels,
  type CompareOptions,
  renderComparison,
} from '#experiment/compare'
import type { Speed } from '#experiment/bench'
import { tradeOffPictures } from '../../../src/experiment/compare/trade-off-pictures.ts'
import { madeFolder } from '../../result/report/made-folder.ts'
import { scratchFolder } from '../../scratch.ts'

const { path } = scratchFolder()
let comparison: Comparison

/** The second row is faster. */
function speedOf(rows: Comparison['report']['rows']): Speed {
  return {
    texts: { name: 'T', count: 9 },
    rounds: 5,
    threads: 2,
    rows: rows.map(({ model, revision, representation }, at) => {
      const rate = 100 * (at + 1)
      return {
        name: 'as it was opened',
        model,
        revision,
        representation,
        fileBytes: 2e6,
        loadSeconds: 1,
        peakBytes: 1e8,
        sizes: [
          {
            batch: 64,
            textsPerSecond: { median: rate, low: rate - 1, high: rate + 1 },
            tokensPerSecond: null,
            latency: { p50: 1, p95: 1, p99: 1, calls: 1 },
          },
        ],
      }
    }),
  }
}

beforeAll(async () => {
  await madeFolder(path('made'))
  const choose: CompareOptions['choose'] = (rows) => rows.slice(0, 2)
  const { report } = await compareModels([path('made')], { choose })
  comparison = await compareModels([path('made')], { choose, speed: speedOf(report.rows) })
})

test('measured rows have the names and the order of the comparison', () => {
  expect(comparison.speed?.rows.map(({ name }) => name)).toEqual(comparison.report.rows.map(({ name }) => name))
})

test('speed has tables of its own, with what scores and rates allow to be said', () => {
  const tables = comparisonTables(comparison)
  const notes = tables.find(({ id }) => id === 'speed')?.notes.join('\n') ?? ''
  const [first, second] = comparison.report.rows.map(({ name }) => name)
  expect(notes).toContain(`The score of ${second} against ${first}: `)
  expect(notes).toContain(`${second} is 2.00× as fast as ${first} (at least 1.97× between any two rounds)`)
  const priceOf = (one: Comparison): unknown[] | undefined => {
    const table = comparisonTables(one).find(({ id }) => id === 'footprint')
    const column = table?.columns.findIndex(({ title }) => title === 'price') ?? -1
    return column < 0 ? undefined : table?.rows.map((row) => row[column]?.value)
  }
  expect(priceOf(comparison)).toBeUndefined()
  // a million texts at 100 and at 200 per second, at 3.6 per hour
  expect(priceOf({ ...comparison, pricePerHour: 3.6 })).toEqual([10, 5])
  expect(comparisonTables({ ...comparison, speed: null }).map(({ id }) => id)).not.toContain('speed')
})

test('scores are drawn against speed and against size, and only where speed was measured', async () => {
  expect(tradeOffPictures(comparison).map(({ title }) => title)).toEqual(['Score against speed', 'Score against size'])
  expect(tradeOffPictures({ ...comparison, speed: null })).toEqual([])
  expect(await renderComparison(comparison, { format: 'html' })).toContain('Score against speed')
  const rates = (await renderComparison(comparison, { format: 'csv' }))
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(',').at(-1))
  expect(new Set(rates)).toEqual(new Set(['100', '200']))
})
