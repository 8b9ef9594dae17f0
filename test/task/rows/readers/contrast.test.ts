/** Lists of contrasts: how they are read, and refusals with their place. */
import { expect, test } from 'vitest'
import { findTasks } from '#task/registry'
import type { LoadedTask } from '#task/rows'
import { loadRows } from '../../protocols/own-rows.ts'
import type { Row } from '../made-repo.ts'

const { tasks } = await findTasks(['ContrastSemantic'])
const load = async (...rows: Row[]): Promise<LoadedTask> => {
  const [task] = tasks
  if (task === undefined) throw new Error('no task')
  const { carried: _, ...own } = task
  return loadRows(own, [{ split: 'test', subset: 'default', rows }])
}
const row = (more: Row = {}): Row => ({ anchor: 'a b', positive: 'b a', negatives: ['c', 'd'], ...more })

test('a list without topics, one anchor enough; topics are for every row or none', async () => {
  const [part] = (await load(row())).parts
  expect(part).toMatchObject({ anchors: ['a b'], positives: ['b a'], negatives: [['c', 'd']], topics: undefined })
  const [topical] = (await load(row({ topic: 'x' }), row({ anchor: 'e', topic: 'y' }))).parts
  expect(topical).toMatchObject({ topics: ['x', 'y'] })
  await expect(load(row({ topic: 'x' }), row({ anchor: 'e' }))).rejects.toMatchObject({ code: 'task.value' })
})

test('the same anchor with another positive is another row', async () => {
  expect((await load(row(), row({ positive: 'b, a' }))).parts[0]).toMatchObject({ anchors: ['a b', 'a b'] })
})

test.each<[string, Row[]]>([
  ['a text is empty', [row({ positive: ' ' })]],
  ['a text is empty', [row({ negatives: ['c', ''] })]],
  ['the positive is the anchor itself', [row({ positive: 'a b' })]],
  ['a text of negatives is also the positive', [row({ negatives: ['c', 'b a'] })]],
  ['a text of negatives is also the anchor', [row({ negatives: ['a b'] })]],
  ['a text is among the negatives twice', [row({ negatives: ['c', 'd', 'c'] })]],
  ['negatives is not a list of texts', [row({ negatives: [] })]],
  ['negatives is not a list of texts', [row({ negatives: 'c' })]],
  ['the same anchor and positive as', [row({ anchor: 'e' }), row(), row({ negatives: ['f'] })]],
])('%s', async (what, rows) => {
  await expect(load(...rows)).rejects.toMatchObject({
    code: 'task.value',
    message: expect.stringMatching(new RegExp(`row ${rows.length}: ${what}`)),
  })
})

test('a column that is missing is named, with those there are', async () => {
  await expect(load({ anchor: 'a', postive: 'b', negatives: ['c'] })).rejects.toMatchObject({
    code: 'task.column',
    message: expect.stringContaining('no column positive – columns anchor, postive, negatives'),
  })
})
