import { describe, expect, onTestFinished, test } from 'vitest'
import { loadTask, type LoadedTask, type TaskInfo, type TaskStep } from '#task/rows'
import { taskRegistry } from '../../../src/task/registry/registry.ts'
import { rawColumns, rawSplits } from '../../../src/task/rows/steps/table.ts'
import { makeRepo, type Row } from './made-repo.ts'

/** A task of classification with steps of its own, read from files; its training rows and those of `test`. */
async function read(
  files: Record<string, string | readonly Row[]>,
  steps: readonly TaskStep[],
  params: Partial<TaskInfo['params']> = {},
) {
  const like = (await taskRegistry()).get('Banking77Classification')
  if (like === undefined) throw new Error('no Banking77Classification')
  const repo = await makeRepo(files)
  onTestFinished(repo.remove)
  const task: TaskInfo = { ...like, steps, params: { ...like.params, ...params } }
  const loaded: LoadedTask = await loadTask(task, { openDataset: () => Promise.resolve(repo.files), splits: ['test'] })
  if (loaded.protocol !== 'AbsTaskClassification' || loaded.parts[0] === undefined) throw new Error('no part')
  return loaded.parts[0]
}

const labelled = (labels: readonly unknown[]): Row[] => labels.map((label, i) => ({ text: `t${i}`, label }))
const declared = (names: unknown): string =>
  `---\n${JSON.stringify({ dataset_info: { features: [{ name: 'label', dtype: { class_label: { names } } }] } })}\n---\n`

describe('declared class labels', () => {
  const names = { 0: 'zero', 1: 'one', 2: 'two' }
  test('names in the files stand for their positions, and so do positions as text', async () => {
    const { train, test } = await read(
      {
        'README.md': declared(names),
        'train.jsonl': labelled(['two', 'zero', 'one ']),
        'test.csv': 'text,label\na,2\nb,one\n',
      },
      [],
    )
    expect(train.labels).toEqual([2, 0, 1])
    expect(test.labels).toEqual([2, 1])
  })
  test('names may be a list; a text that is none of them is refused', async () => {
    const files = {
      'README.md': declared(['zero', 'one']),
      'train.jsonl': labelled(['one', 'zero']),
      'test.jsonl': labelled(['three']),
    }
    await expect(read(files, [])).rejects.toMatchObject({
      code: 'task.label',
      message: expect.stringContaining('not one of the declared names') as string,
    })
  })
  test('numbers become names', async () => {
    const files = { 'README.md': declared(names), 'train.jsonl': labelled([0, 2, 1]), 'test.jsonl': labelled([1, 1]) }
    expect((await read(files, [{ labelNames: { column: 'label' } }])).test.labels).toEqual(['one', 'one'])
    await expect(
      read({ ...files, 'test.jsonl': labelled([3]) }, [{ labelNames: { column: 'label' } }]),
    ).rejects.toMatchObject({ code: 'task.label' })
  })
  test('are ranked anew by no sampling; in a table that polars takes apart they are', async () => {
    const files = { 'README.md': declared(names), 'train.jsonl': labelled([2, 1, 2]), 'test.jsonl': labelled([1, 2]) }
    const steps: TaskStep[] = [{ subsample: { splits: ['test'], rows: 10 } }]
    expect((await read(files, steps)).train.labels).toEqual([2, 1, 2])
    expect((await read(files, steps, { fast_loading: true })).train.labels).toEqual([1, 0, 1])
  })
})

describe('labels that are not declared', () => {
  test('are ranked by the labels of every split when a task is sampled, by their own split when it is encoded', async () => {
    const files = {
      'train.jsonl': labelled(['d', 'b', 'd']),
      'validation.jsonl': labelled(['a', null, 'c']),
      'test.jsonl': labelled(['d', 'b']),
    }
    expect((await read(files, [{ subsample: { splits: ['test'], rows: 10 } }])).test.labels).toEqual([3, 1])
    expect((await read(files, [{ encode: 'label' }])).test.labels).toEqual([1, 0])
    expect(
      (await read(files, [{ keepSplits: ['train', 'test'] }, { subsample: { splits: ['test'], rows: 10 } }])).test
        .labels,
    ).toEqual([1, 0])
  })
  test('stay as they are when sampling is only for larger splits', async () => {
    const files = { 'train.jsonl': labelled(['d', 'b']), 'test.jsonl': labelled(['d', 'b', 'd', 'b']) }
    expect((await read(files, [{ subsample: { splits: ['test'], rows: 4, ifLarger: true } }])).test.labels).toEqual([
      'd',
      'b',
      'd',
      'b',
    ])
    expect(
      (await read(files, [{ subsample: { splits: ['test'], rows: 2, ifLarger: true } }])).test.labels.toSorted(
        (a, b) => Number(a) - Number(b),
      ),
    ).toEqual([0, 1])
  })
})

describe('filters', () => {
  test('of separated values see through their texts', async () => {
    const train = labelled(['a', 'b'])
    const csv = (column: string[]): string =>
      `text,label,keep\n${column.map((value, i) => `t${i},${'ab'[i % 2] ?? ''},${value}\n`).join('')}`
    const files = (column: string[]) => ({ 'train.csv': csv(['True', '1']), 'test.csv': csv(column), 'x.jsonl': train })
    const texts = async (column: string[]) =>
      (await read(files(column), [{ filter: { column: 'keep', is: 'true', splits: ['test'] } }])).test.texts
    expect(await texts(['True', 'False', '', 'true', 'FALSE'])).toEqual(['t0', 't3'])
    expect(await texts(['1', '0', '0.0', '2', ''])).toEqual(['t0', 't3'])
    expect(await texts(['no', '0', '', 'False', 'x'])).toEqual(['t0', 't1', 't3', 't4'])
  })
  test('that leave nothing say so', async () => {
    const files = { 'train.jsonl': labelled(['a', 'b']), 'test.jsonl': labelled(['a']) }
    await expect(read(files, [{ filter: { column: 'label', in: ['b'], splits: ['test'] } }])).rejects.toMatchObject({
      code: 'task.empty',
    })
    await expect(read(files, [{ keepSplits: ['train'] }])).rejects.toMatchObject({ code: 'task.split' })
  })
})

describe('steps refuse', () => {
  const files = { 'train.jsonl': labelled(['a', 'b']), 'test.jsonl': labelled(['a', '1 000']) }
  test.each<[string, TaskStep, string, string]>([
    ['a number that is none', { number: 'label' }, 'task.value', 'label is not a number'],
    [
      'shares that are no list',
      { softLabel: { column: 'text', as: 'label', classes: 2 } },
      'task.label',
      'text is not a list of numbers',
    ],
    ['a label the table does not have', { relabel: { codes: { a: 0, b: 1 } } }, 'task.label', 'unknown label'],
    ['names nobody declared', { labelNames: { column: 'label' } }, 'task.label', 'unknown label'],
    [
      'columns under none of their names',
      { firstOf: { label: ['labels', 'intent'] } },
      'task.column',
      'no column label',
    ],
    ['a split too small to cut', { divide: { from: 'test', test: 2 } }, 'table.read', 'rows do not suffice'],
  ])('%s', async (_, step, code, words) => {
    await expect(read(files, [step])).rejects.toMatchObject({ code, message: expect.stringContaining(words) as string })
  })
})

describe('the steps of the registry', () => {
  test('are of known kinds, and know what they read for every subset', async () => {
    const withSteps = [...(await taskRegistry()).values()].filter(({ steps }) => steps.length > 0)
    expect(withSteps.length).toBeGreaterThan(150)
    const empty: string[] = []
    for (const { name, steps, columns, splits, subsets, params } of withSteps) {
      for (const subset of Object.keys(subsets).slice(0, 20)) {
        const all = ['train', 'validation', 'test']
        const read = [
          rawColumns([...Object.values(columns), 'sentence1'], steps, { subset }),
          rawSplits([params.train_split, ...splits], steps, { subset, all }),
        ]
        if (read.some((list) => list.length === 0)) empty.push(`${name} › ${subset}`)
      }
    }
    expect(empty).toEqual([])
  })
})
