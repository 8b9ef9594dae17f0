/** A folder in which layers were combined: rows are named by what they are, and have means. */
import { beforeAll, describe, expect, test } from 'vitest'
import { type Report, renderReport, reportOf, tablesOf } from '#result/report'
import { writeChoice, writeResult } from '#result/ledger'
import { scratchFolder } from '../../scratch.ts'
import { sampleResult } from '../ledger/made-results.ts'

const { path } = scratchFolder()
const identity = { model: 'org/model', revision: 'main' }

interface Mix {
  readonly representation: string
  readonly lambda: number | null
  readonly score: number
}

async function write(
  root: string,
  task: string,
  { representation, score, combination }: { representation: string; score: number; combination?: unknown },
): Promise<void> {
  const settings = combination === undefined ? {} : { combination }
  await writeResult(
    root,
    sampleResult({
      task_name: task,
      scores: { test: [{ main_score: score, hf_subset: 'default', languages: [] }] },
      strata: { ...identity, representation, settings },
    }),
  )
}

/** `weighted` found another mix on each task; `mean` is the same on both. Validation chose λ = 0.8 on A, 0.2 on B. */
const mixes: Readonly<Record<string, readonly Mix[]>> = {
  A: [
    { representation: 'weighted-aaaaaaaa', lambda: 0.2, score: 0.5 },
    { representation: 'weighted-bbbbbbbb', lambda: 0.8, score: 0.75 },
  ],
  B: [
    { representation: 'weighted-cccccccc', lambda: 0.2, score: 0.25 },
    { representation: 'weighted-dddddddd', lambda: 0.8, score: 0.5 },
  ],
}

async function aggregatedFolder(root: string, { isRecorded }: { isRecorded: boolean }): Promise<string> {
  for (const [task, own] of Object.entries(mixes)) {
    for (const [representation, score] of [
      ['default', 0.25],
      ['h0', 0.125],
      ['h1', 0.5],
    ] as const)
      await write(root, task, { representation, score })
    const mean = { method: 'mean', lambda: null, similarity: null }
    await write(root, task, { representation: 'mean-eeeeeeee', score: 0.375, combination: mean })
    for (const { representation, lambda, score } of own)
      await write(root, task, { representation, score, combination: { method: 'weighted', lambda, similarity: 'cka' } })
    if (!isRecorded) continue
    const about = { task, validation: 'validation' }
    const candidates = own.map(({ representation, lambda }) => ({
      method: 'weighted',
      lambda,
      similarity: 'cka',
      representation,
      score: null,
    }))
    const picked = own[task === 'A' ? 1 : 0]?.representation ?? ''
    const place = { root, ...identity }
    await writeChoice(place, { ...about, kind: 'method', method: 'weighted', chosen: picked, candidates })
    await writeChoice(place, {
      ...about,
      kind: 'method',
      method: 'mean',
      chosen: 'mean-eeeeeeee',
      candidates: [{ ...mean, representation: 'mean-eeeeeeee', score: null }],
    })
    await writeChoice(place, { ...about, kind: 'mix', method: 'weighted', chosen: picked, candidates: [] })
    await writeChoice(place, { ...about, kind: 'layer', method: 'h1', chosen: 'h1', candidates: [] })
  }
  return root
}

const meansOf = ({ standings }: Report) =>
  standings.at(-1)?.rows.map(({ name, mean, completed }) => [name, mean, completed])

describe('combinations of layers', () => {
  let report: Report
  beforeAll(async () => {
    report = await reportOf([await aggregatedFolder(path('recorded'), { isRecorded: true })])
  })

  test('are rows named by method, λ and similarity, with means over the tasks', () => {
    expect(meansOf(report)).toEqual([
      ['h0', 0.125, 2],
      ['h1', 0.5, 2],
      ['default', 0.25, 2],
      ['mean', 0.375, 2],
      ['weighted λ=0.2 cka', 0.375, 2],
      ['weighted λ=0.8 cka', 0.625, 2],
      ['layer chosen by validation', 0.5, 2],
      ['weighted (chosen by validation)', 0.5, 2],
      ['mix chosen by validation', 0.5, 2],
    ])
  })

  test('leave nothing that was never meant to be run', () => {
    expect(report.missing).toEqual([])
    expect(tablesOf(report).map(({ id }) => id)).not.toContain('missing')
  })

  test('are compared where validation chose: the mix with the layer', () => {
    expect(report.choices).toMatchObject([
      {
        mix: 'mix chosen by validation',
        layer: 'layer chosen by validation',
        overTasks: [{ tasks: 2, difference: 0, wins: 1, losses: 1 }],
      },
    ])
  })

  test('of a folder without a record of choices are one row per recipe', async () => {
    const older = await reportOf([await aggregatedFolder(path('older'), { isRecorded: false })])
    expect(meansOf(older)?.slice(3)).toEqual([
      ['mean', 0.375, 2],
      ['weighted λ=0.2 cka', 0.375, 2],
      ['weighted λ=0.8 cka', 0.625, 2],
    ])
    expect(older.choices).toEqual([])
  })

  test('of one recipe and task keep their mark apart', async () => {
    const root = await aggregatedFolder(path('twice'), { isRecorded: true })
    const combination = { method: 'weighted', lambda: 0.8, similarity: 'cka' }
    await write(root, 'A', { representation: 'weighted-ffffffff', score: 1, combination })
    const { rows, standings } = await reportOf([root])
    expect(rows.find(({ name }) => name.includes('ffffffff'))).toMatchObject({
      name: 'weighted λ=0.8 cka (ffffffff)',
      scores: [1, null],
    })
    expect(standings.at(-1)?.rows.find(({ name }) => name === 'h1')?.mean).toBe(0.5)
  })

  test('chosen by name are found by what they are, and by what results call them', async () => {
    const named = async (...names: string[]): Promise<unknown> => {
      const { rows } = await reportOf([path('recorded')], {
        choose: (all) => all.filter(({ representation }) => names.includes(representation)),
      })
      return rows.map(({ name, scores }) => [name, scores])
    }
    expect(await named('weighted λ=0.8 cka', 'weighted-aaaaaaaa')).toEqual([
      ['weighted-aaaaaaaa', [0.5, null]],
      ['weighted λ=0.8 cka', [0.75, 0.5]],
    ])
  })

  test('open the report: whether mixing pays, by which test, and that the best is known only afterwards', async () => {
    const text = await renderReport(report, { format: 'md' })
    const [, answer = ''] = text.split('\n\n')
    expect(answer.replaceAll('\\', '')).toMatch(
      /Over 2 tasks the mix of layers that validation chose scores 50\.00, the layer that validation chose 50\.00 \(\+0\.00\): over tasks not more than chance \(sign flips, p = 1\.000; 2 tasks cannot give a p below 0\.5\); single tasks are not tested/,
    )
    expect(answer).toContain('This does not show that mixing layers helps.')
    expect(answer).toContain('weighted λ=0.8 cka has the highest mean of 9 rows, 62.50')
    expect(answer).toContain('known only afterwards')
  })
})
