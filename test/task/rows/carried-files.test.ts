import { expect, test } from 'vitest'
import { findTasks } from '#task/registry'
import { openCarried } from '../../../src/task/rows/carried-files.ts'

const { tasks } = await findTasks(['Contrast*'])
const carried = tasks.flatMap(({ name, dataset, carried: path }) =>
  path === undefined
    ? []
    : [{ name, dataset: { path: dataset.path, revision: dataset.revision ?? '' }, carried: path }],
)

test('each list is the one that its scores are recorded under', async () => {
  expect(carried).toHaveLength(6)
  for (const task of carried) expect((await openCarried(task)).revision).toBe(task.dataset.revision)
})

test('a list whose bytes are others is refused, whatever scores there are', async () => {
  for (const task of carried)
    await expect(
      openCarried({ ...task, dataset: { ...task.dataset, revision: 'f'.repeat(64) } }),
    ).rejects.toMatchObject({
      code: 'hub.integrity',
      message: expect.stringContaining(`the list of ${task.name} has been changed`),
    })
})
