import { describe, expect, onTestFinished, test } from 'vitest'
import type { TaskInfo, TaskStep } from '#task/rows'
import { taskRegistry } from '../../../src/task/registry/registry.ts'
import { taskRows } from '../../../src/task/rows/task-rows.ts'
import { makeRepo, type Row } from './made-repo.ts'

/** Rows of a clustering task with steps of its own: split → rows, and why splits have none. */
async function read(
  files: Record<string, readonly Row[]>,
  steps: readonly TaskStep[],
  splits: readonly string[] = ['test'],
) {
  const like = (await taskRegistry()).get('TwentyNewsgroupsClustering.v2')
  if (like === undefined) throw new Error('no such task')
  const repo = await makeRepo(
    Object.fromEntries(Object.entries(files).map(([split, rows]) => [`${split}.jsonl`, rows])),
  )
  onTestFinished(repo.remove)
  const task: TaskInfo = { ...like, steps, params: { ...like.params, max_fraction_of_documents_to_embed: null } }
  const { rows, missing } = await taskRows(task, { openDataset: () => Promise.resolve(repo.files), splits })
  const found: Record<string, unknown[]> = {}
  for (const { split, row } of rows()) (found[split] ??= []).push(row)
  return { ...found, missing: missing.map(({ split, code }) => [split, code]) }
}
const row = (sentences: unknown, labels: unknown): Row => ({ sentences, labels })

describe('steps of clustering tasks', () => {
  test('samples of Python go on with one generator from split to split, asked for or not', async () => {
    // random.Random(42): sample(range(100003), 100000), then sample(range(100001), 100000); CPython 3.11
    const many = (tag: string, count: number): Row[] =>
      Array.from({ length: count }, (_, i) => row(`${tag}${i}`, i % 2))
    const found = (await read({ train: many('r', 100_003), test: many('t', 100_001) }, [
      { pythonSample: 100_000 },
    ])) as { test?: { sentences: string }[] }
    expect(found.test).toHaveLength(100_000)
    expect(found.test?.slice(0, 4).map(({ sentences }) => sentences)).toEqual(['t93587', 't7554', 't11355', 't82577'])
  })
  test('a step that forgets splits makes the others be none', async () => {
    const rows = [row('a', 1), row('b', 2)]
    await expect(read({ train: rows, test: rows }, [{ keepSplits: ['test'] }], ['train'])).rejects.toMatchObject({
      code: 'task.split',
    })
  })
  test('splits read along that have nothing to say are left out', async () => {
    const rows = [row('a', 'x'), row('b', 'y'), row('c', 'x')]
    expect(
      await read({ train: [{ sentences: 'no label' }], test: rows }, [
        { subsample: { splits: ['test'], rows: 2048, label: 'labels' } },
      ]),
    ).toEqual({
      test: [row('a', 0), row('b', 1), row('c', 0)],
      missing: [],
    })
  })
  test('sets are as even as can be, or of one size', async () => {
    const rows = Array.from({ length: 7 }, (_, i) => row(`t${i}`, i))
    const sizes = async (spec: Extract<TaskStep, { sets: unknown }>['sets']): Promise<number[]> =>
      ((await read({ test: rows }, [{ sets: spec }])) as { test?: { labels: unknown[] }[] }).test?.map(
        ({ labels }) => labels.length,
      ) ?? []
    expect(await sizes({ count: 3 })).toEqual([3, 2, 2])
    expect(await sizes({ size: 3, first: 2 })).toEqual([3, 3])
    expect(await sizes({ size: 3, first: 9 })).toEqual([3, 3, 1])
  })
  test.each<[string, Row[], TaskStep[], string]>([
    ['lists that differ in number', [row(['a', 'b'], [1])], [{ explode: ['sentences', 'labels'] }], 'task.value'],
    ['texts where lists should be', [row('a', 'b')], [{ explode: ['sentences', 'labels'] }], 'task.value'],
    [
      'a label without text to take apart',
      [row('a', 3)],
      [{ parts: { column: 'labels', separator: '.' } }],
      'task.value',
    ],
    ['a list without the item', [row('a', [])], [{ item: { column: 'labels', index: 0, as: 'labels' } }], 'task.value'],
    ['fewer rows than are drawn', [row('a', 1), row('b', 2)], [{ draw: { splits: ['test'], rows: 2 } }], 'table.read'],
    [
      'a missing text to put together',
      [{ ...row(null, 1), title: 'a' }],
      [{ concat: { columns: ['title', 'sentences'], as: 'sentences', separator: ' ' } }],
      'task.value',
    ],
    ['a subset that is no pair', [row('a', 1)], [{ pair: 'side' }], 'task.subset'],
  ])('%s: refused', async (_, rows, steps, code) => {
    await expect(read({ test: rows }, steps)).rejects.toMatchObject({ code })
  })
})
