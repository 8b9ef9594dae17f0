import { onTestFinished, expect, test } from 'vitest'
import { type ItemPlace, openTaskTexts, textsOfTask } from '#experiment/compare'
import type { LoadOptions, TaskInfo } from '#task/rows'
import { taskRegistry } from '../../../src/task/registry/registry.ts'
import { makeRepo } from '../../task/rows/made-repo.ts'

/** Tasks of the same three rows of two splits, and how often they were opened. */
async function made(): Promise<{ tasks: TaskInfo[]; options: LoadOptions; opened: () => number }> {
  const like = (await taskRegistry()).get('TwentyNewsgroupsClustering.v2')
  if (like === undefined) throw new Error('no such task')
  const rows = (split: string) => [0, 1, 2].map((i) => ({ sentences: `${split} ${i}`, labels: i % 2 }))
  const repo = await makeRepo({ 'test.jsonl': rows('test'), 'train.jsonl': rows('train') })
  onTestFinished(repo.remove)
  let count = 0
  const openDataset: LoadOptions['openDataset'] = () => {
    count++
    return Promise.resolve(repo.files)
  }
  const tasks = ['A', 'B', 'C'].map((name) => ({
    ...like,
    name,
    steps: [],
    params: { ...like.params, max_fraction_of_documents_to_embed: null },
  }))
  return { tasks, options: { openDataset, profile: 'mteb-2' }, opened: () => count }
}
const item = (at: number, split = 'test'): ItemPlace => ({ split, subset: 'default', item: at, of: 3 })

test('the pages of a task read its texts once, a part that was not asked for before alone', async () => {
  const { tasks, options, opened } = await made()
  const [task] = tasks
  if (task === undefined) throw new Error('no task')
  const textsOf = openTaskTexts()
  const first = await textsOf(task, [item(0), item(1)], options)
  const once = opened()
  expect(first).toEqual(await textsOfTask(task, [item(0), item(1)], options))
  expect(first[0]).toContain('test 0')
  const before = opened()
  expect((await textsOf(task, [item(2)], options))[0]).toContain('test 2')
  expect(await textsOf(task, [{ ...item(2), of: 4 }], options)).toEqual([null])
  expect(opened()).toBe(before)
  const both = await textsOf(task, [item(1, 'train'), item(0)], options)
  expect([both[0]?.[0], both[1]?.[0], opened()]).toEqual(['train 1', 'test 0', before + once])
})

test('the texts of the last two tasks stay, and none of a task that takes too much memory', async () => {
  const { tasks, options, opened } = await made()
  const [a, b, c] = tasks
  if (a === undefined || b === undefined || c === undefined) throw new Error('no task')
  const ask = async (textsOf: typeof textsOfTask, task: TaskInfo): Promise<number> => {
    const before = opened()
    expect((await textsOf(task, [item(1)], options))[0]).toContain('test 1')
    return opened() - before
  }
  const textsOf = openTaskTexts()
  const once = await ask(textsOf, a)
  expect(once).toBeGreaterThan(0)
  const reads: number[] = []
  for (const task of [b, a, c, a, b]) reads.push(await ask(textsOf, task))
  expect(reads.map((count) => count / once)).toEqual([1, 0, 1, 0, 1])
  const narrow = openTaskTexts({ bytes: 100 })
  expect([await ask(narrow, a), await ask(narrow, a)]).toEqual([once, once])
})
