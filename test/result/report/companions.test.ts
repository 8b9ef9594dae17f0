import { beforeAll, describe, expect, test } from 'vitest'
import { type Companions, renderReport, type Report, reportOf, type RowMetric } from '#result/report'
import { scratchFolder } from '../../scratch.ts'

const { path } = scratchFolder()

/** Three checkpoints of three layers: the score falls with the layer and rises with the step. */
const rows = ['step1', 'step10', 'main'].flatMap((checkpoint, k) =>
  [0, 1, 2].flatMap((h) =>
    ['One', 'Two'].map((task, t) => ({
      checkpoint,
      layer: `h${h}`,
      task,
      score: 0.5 + 0.1 * k - 0.02 * h + 0.001 * t,
    })),
  ),
)
const falling: RowMetric = {
  name: 'falling',
  of: ({ revision, representation }) =>
    -(rows.find((row) => row.checkpoint === revision && row.layer === representation)?.score ?? NaN),
}
const partial: RowMetric = {
  name: 'partial',
  of: ({ revision, representation }) => (revision === 'main' ? Number(representation.slice(1)) : undefined),
}
const constant: RowMetric = { name: 'constant', of: () => 1 }
const beside: Companions = {
  searches: [{ name: 'mine', policy: 'linucb', spent: 3, best: 'main h0', reward: 1.25, curve: [0.5, 0.5, 0.7] }],
  replays: [
    {
      model: 'org/model',
      arms: 9,
      tasks: 2,
      best: { arm: 'main h0', reward: 1.5 },
      replays: [
        {
          policy: 'random',
          runs: 200,
          points: [
            { budget: 2, regret: 0.25, low: 0, high: 0.5, rank: 3, best: 'main h1', share: 0.3 },
            { budget: 9, regret: 0, low: 0, high: 0, rank: 1, best: 'main h0', share: 1 },
          ],
          curve: [1, 2, 9].map((budget) => ({ budget, regret: 1 / budget, low: 0, high: 2 / budget })),
        },
      ],
    },
  ],
  similarities: [
    {
      name: 'org/model on texts',
      metric: 'CKA',
      rows: 'org/model',
      columns: 'org/model',
      values: [
        [1, 0.5],
        [0.5, 1],
      ],
    },
  ],
}

let report: Report
beforeAll(async () => {
  report = await reportOf([], {
    recorded: [{ model: 'org/model', rows }],
    metrics: [constant, partial, falling],
    beside,
  })
})

describe('recorded scores', () => {
  test('are rows of a report, checkpoint by checkpoint', () => {
    expect(report.rows.map(({ name }) => name)).toEqual(
      ['step1', 'step10', 'main'].flatMap((step) => ['h0', 'h1', 'h2'].map((h) => `${step} ${h}`)),
    )
    expect(report.rows.at(-1)?.scores).toEqual([expect.closeTo(0.66, 12), expect.closeTo(0.661, 12)])
    expect([report.held?.baseline, report.held?.chosen]).toEqual(['main h0', 'best'])
  })

  test('that a folder has as well count once', async () => {
    const twice = await reportOf([], {
      recorded: [
        { model: 'org/model', rows },
        { model: 'org/model', rows: rows.slice(0, 4) },
      ],
    })
    expect([twice.rows.length, twice.twice]).toEqual([9, 4])
    await expect(reportOf([path('')], { recorded: [{ model: 'org/model', rows: [] }] })).rejects.toMatchObject({
      code: 'file.missing',
    })
  })
})

describe('metrics', () => {
  test('are held against the mean, over the rows that have both; the one that says most comes first', () => {
    expect(report.metrics.map(({ name, rows: count }) => [name, count])).toEqual([
      ['falling', 9],
      ['partial', 3],
      ['constant', 9],
    ])
    expect(report.metrics.map(({ rho }) => rho)).toEqual([expect.closeTo(-1, 12), expect.closeTo(-1, 12), null])
    expect(report.metrics[0]?.points[8]).toEqual({
      row: 'main h2',
      value: expect.closeTo(-0.66, 12),
      score: expect.closeTo(0.6605, 12),
    })
  })
})

describe('on a page', () => {
  test('each has its table and its picture', async () => {
    const html = await renderReport(report, { format: 'html' })
    for (const words of [
      'Metrics against scores',
      'Searches replayed over org/model',
      'Score against falling',
      'Best arm found after each pull',
      'Search over 9 arms',
      'CKA of layers, org/model on texts',
    ])
      expect(html).toContain(words)
    expect([...html.matchAll(/<figure>/g)]).toHaveLength(4 + 4)
  })

  test('in Markdown: regret with the rank, what is known of the search', async () => {
    const text = await renderReport(report, { format: 'md' })
    expect(text).toMatch(/\| random \| 200 \| 0\.2500 \(3\) \| \*\*0\.0000 \(1\)\*\* \|/)
    expect(text).toMatch(/\| mine \| linucb \| 3 \| main h0 \| 1\.250 \| 70\.00 \|/)
    expect(text).toMatch(/\| falling \| 9 \| −1\.000 \| −1\.000 \| −1\.000 \|/)
    expect(text).toMatch(/\| constant \| 9 \| – \| – \| – \|/)
  })

  test('nothing of it where there is none', async () => {
    const bare = await reportOf([], { recorded: [{ model: 'org/model', rows }] })
    const text = await renderReport(bare, { format: 'md' })
    for (const words of ['Metrics against', 'Searches']) expect(text).not.toContain(words)
  })
})
