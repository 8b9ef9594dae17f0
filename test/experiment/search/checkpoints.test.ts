import { mkdirSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { checkpointsOf } from '#experiment/search'
import { scratchFolder } from '../../scratch.ts'

const { path, file } = scratchFolder()
const steps = ['step1', 'step2', 'step10', 'step100', 'main']

beforeAll(() => {
  for (const name of [...steps, 'notes', 'best']) mkdirSync(path(`run/${name}`), { recursive: true })
  for (const name of [...steps, 'best']) file(`run/${name}/config.json`, '{}')
})

describe('checkpoints of a folder', () => {
  const named = async (revisions: string): Promise<string[]> =>
    (await checkpointsOf([path('run')], revisions)).map(({ name }) => name)

  test('are what training left, by their steps: all, or every so many from the first', async () => {
    expect(await named('all')).toEqual(steps)
    expect(await named('every:1')).toEqual(steps)
    expect(await named('every:2')).toEqual(['step1', 'step10', 'main'])
    expect(await named('every:9')).toEqual(['step1'])
    expect(await checkpointsOf([path('run')], 'best, step2')).toEqual([
      { name: 'best', reference: path('run/best') },
      { name: 'step2', reference: path('run/step2') },
    ])
  })

  test('that are not there, or no step, are refused', async () => {
    await expect(named('step3')).rejects.toMatchObject({ code: 'usage.value' })
    await expect(named('notes')).rejects.toMatchObject({ code: 'usage.value' })
    await expect(named('every:0')).rejects.toMatchObject({ code: 'usage.value' })
    await expect(named(' , ')).rejects.toMatchObject({ code: 'usage.value' })
    await expect(checkpointsOf([path('run'), 'other'], 'all')).rejects.toMatchObject({ code: 'usage.conflict' })
  })
})

test('several models are checkpoints by their last names, by their references where two share one', async () => {
  const name = async (...models: string[]): Promise<string[]> =>
    (await checkpointsOf(models, undefined)).map((one) => one.name)
  expect(await name('org/one', 'org/two@step5', 'folder/three/')).toEqual(['one', 'step5', 'three'])
  expect(await name('org/one', 'other/one')).toEqual(['org/one', 'other/one'])
})
