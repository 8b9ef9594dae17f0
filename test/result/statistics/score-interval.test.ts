import { expect, test } from 'vitest'
import type { Result } from '#core'
import { writeResult } from '#result/ledger'
import { toOurs, scoreInterval } from '#result/statistics'
import { scratchFolder } from '../../scratch.ts'
import { sampleResult } from '../ledger/made-results.ts'

const { path } = scratchFolder()
const root = path('results')

/** A task of parts, each the share of right items; `kept` of them are written as items. */
async function written(task: string, parts: Record<string, number[]>, kept = Object.keys(parts)) {
  const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
  const scores = {
    test: Object.entries(parts).map(([hf_subset, correct]) => ({
      main_score: mean(correct),
      hf_subset,
      languages: ['eng-Latn'],
    })),
  }
  const result: Result = sampleResult({ task_name: task, scores, strata: {} })
  const columns = ['split', 'subset', 'correct'].map((name) => ({
    name,
    type: name === 'correct' ? ('number' as const) : ('text' as const),
  }))
  const rows = kept.flatMap((subset) => (parts[subset] ?? []).map((correct) => ({ split: 'test', subset, correct })))
  await writeResult(root, result, { items: { columns, rows } })
  const [ours] = toOurs(root, [result])
  if (ours === undefined) throw new Error('not finished')
  return ours
}

const half = (items: number): number[] => Array.from({ length: items }, (_, i) => i % 2)

test('is as wide as the binomial says', async () => {
  const { low, high, draws } = (await scoreInterval(await written('Half', { default: half(400) }))) ?? {
    low: NaN,
    high: NaN,
    draws: 0,
  }
  expect(draws).toBe(1000)
  // 1.96 · √(0.25 / 400) = 0.049; an end of 1,000 draws is off by some 0.002
  expect([low, high].map((end) => Math.abs(Math.abs(end - 0.5) - 0.049) < 0.007)).toEqual([true, true])
})

test('of the mean over parts, each drawn from its own items', async () => {
  const { low, high } = (await scoreInterval(
    await written('Parts', { a: half(400), b: Array.from({ length: 40 }, () => 1) }),
  )) ?? { low: NaN, high: NaN }
  // the sure part halves the spread of the other: 0.75 ± 0.0245
  expect([low, high].map((end) => Math.abs(Math.abs(end - 0.75) - 0.0245) < 0.0035)).toEqual([true, true])
})

test('there is none where a part keeps no items', async () => {
  expect(await scoreInterval(await written('Lacking', { a: half(4), b: half(6) }, ['a']))).toBeUndefined()
  const never = { ...(await written('Kept', { a: half(4) })), task: 'Never' }
  expect(await scoreInterval(never)).toBeUndefined()
})

test('there is none where the score is not defined on some resamples', async () => {
  // of three pairs one is drawn three times on a ninth of the resamples, and has no rank correlation
  const score = { main_score: 1, hf_subset: 'default', languages: ['eng-Latn'] }
  const result = sampleResult({ task_name: 'Ranks', scores: { test: [score] } })
  const rows = [0.1, 0.2, 0.3].map((cosine, i) => ({ split: 'test', subset: 'default', cosine, gold: i }))
  const columns = ['split', 'subset', 'cosine', 'gold'].map((name, i) => ({
    name,
    type: i < 2 ? ('text' as const) : ('number' as const),
  }))
  await writeResult(root, result, { items: { columns, rows } })
  const [ours] = toOurs(root, [result])
  expect(ours && (await scoreInterval(ours))).toBeUndefined()
})
