import { describe, expect, test } from 'vitest'
import { itemDifferences, type Side } from '#result/statistics'
import { writeResult } from '#result/ledger'
import { scratchFolder } from '../../scratch.ts'
import { sampleResult } from '../ledger/made-results.ts'

const root = scratchFolder().path('results')

/** A result whose items have these columns. */
async function side(
  representation: string,
  score: number,
  columns: Readonly<Record<string, readonly (number | string)[]>>,
): Promise<Side> {
  const result = sampleResult({
    task_name: 'Task',
    scores: { test: [{ main_score: score, hf_subset: 'default', languages: ['eng-Latn'] }] },
    strata: { representation },
  })
  const count = Object.values(columns)[0]?.length ?? 0
  const rows = Array.from({ length: count }, (_, i) => ({
    split: 'test',
    subset: 'default',
    ...Object.fromEntries(Object.entries(columns).map(([name, values]) => [name, values[i]])),
  }))
  const typed = Object.entries(columns).map(([name, values]) => ({
    name,
    type: typeof values[0] === 'string' ? ('text' as const) : ('number' as const),
  }))
  await writeResult(root, result, {
    items: { columns: [{ name: 'split', type: 'text' }, { name: 'subset', type: 'text' }, ...typed], rows },
  })
  const { model, revision } = result.strata
  return { scores: result.scores ?? {}, place: { root, model, revision, representation } }
}

describe('item by item', () => {
  test('a mean: who is ahead on how many, those that changed most first, ties in their order', async () => {
    const ours = await side('h1', 0.625, { query: ['a', 'b', 'c', 'd'], ndcg: [1, 1, 0.5, 0] })
    const theirs = await side('h2', 0.5, { query: ['a', 'b', 'c', 'd'], ndcg: [0.5, 0, 0.5, 1] })
    const found = await itemDifferences('Task', ours, theirs)
    expect(found).toMatchObject({ better: 2, worse: 1, same: 1 })
    expect(found?.changed).toEqual(
      [
        { item: 1, query: 'b', ours: 1, theirs: 0 },
        { item: 0, query: 'a', ours: 1, theirs: 0.5 },
        { item: 3, query: 'd', ours: 0, theirs: 1 },
      ].map((one) => ({ split: 'test', subset: 'default', of: 4, measure: 'mean of ndcg', ...one })),
    )
    expect((await itemDifferences('Task', ours, theirs, { most: 1 }))?.changed.map(({ item }) => item)).toEqual([1, 3])
  })

  test("an area: tested by each item's part of it, shown by the item's own share", async () => {
    // the parts' mean is the score, the shares' is not
    const ours = await side('h5', 0.6875, { auc: [1, 0.25], auc_part: [1.0625, 0.3125] })
    const theirs = await side('h6', 0.5, { auc: [0.5, 0.5], auc_part: [0.5, 0.5] })
    const found = await itemDifferences('Task', ours, theirs)
    expect(found).toMatchObject({ better: 1, worse: 1, same: 0 })
    expect(found?.changed.map(({ ours: a, theirs: b, measure }) => [a, b, measure])).toEqual([
      [1, 0.5, 'area auc'],
      [0.25, 0.5, 'area auc'],
    ])
  })

  test('a rank correlation: how near an item is to the rank it should have', async () => {
    const gold = [0, 1, 2, 3, 4]
    const ours = await side('h3', 1, { cosine: [0.1, 0.2, 0.3, 0.4, 0.5], gold })
    // the first and the last exchanged: Spearman's correlation is 1 − 6·(16 + 16) / (5·24)
    const theirs = await side('h4', 1 - 192 / 120, { cosine: [0.5, 0.2, 0.3, 0.4, 0.1], gold })
    const found = await itemDifferences('Task', ours, theirs)
    expect(found?.changed.map(({ item, ours: a, theirs: b }) => [item, a, b])).toEqual([
      [0, 1, 0],
      [4, 1, 0],
    ])
    expect(found).toMatchObject({ better: 2, worse: 0, same: 3 })
  })

  test('an average precision: what belongs together is to be above what does not', async () => {
    const label = [1, 0, 1]
    const ours = await side('h5', 1, { cosine: [0.9, 0.1, 0.8], label })
    // the pair that does not belong together comes first: (1/2 + 2/3) / 2
    const theirs = await side('h6', (1 / 2 + 2 / 3) / 2, { cosine: [0.8, 0.9, 0.1], label })
    const found = await itemDifferences('Task', ours, theirs)
    expect(found?.changed.map(({ item, ours: a, theirs: b }) => [item, a, b])).toEqual([
      [1, 1, 0],
      [0, 1, 0.5],
      [2, 0.5, 0],
    ])
  })

  test('of many behind those that fell most come first', async () => {
    const ours = await side('h10', 0.25, { correct: [0.75, 0.25, 0, 0] })
    const theirs = await side('h11', 0.6875, { correct: [0.5, 0.5, 0.75, 1] })
    const found = await itemDifferences('Task', ours, theirs, { most: 2 })
    expect(found?.changed.map(({ item }) => item)).toEqual([0, 3, 2])
    expect(found).toMatchObject({ better: 1, worse: 3, same: 0 })
  })

  test('nothing is said of other items, of none, of items that do not make up the score', async () => {
    const ours = await side('h7', 0.5, { correct: [1, 0] })
    expect(await itemDifferences('Task', ours, await side('h8', 0.5, { correct: [1, 0, 1, 0] }))).toBeUndefined()
    expect(await itemDifferences('Task', ours, { scores: ours.scores })).toBeUndefined()
    expect(await itemDifferences('Task', ours, await side('h9', 0.9, { correct: [1, 0] }))).toBeUndefined()
  })
})
