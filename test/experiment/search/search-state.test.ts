import { describe, expect, test } from 'vitest'
import { readSearch } from '#experiment/search'
import { openSearch, type SearchPull } from '../../../src/experiment/search/search-state.ts'
import { scratchFolder } from '../../scratch.ts'

const { path } = scratchFolder()
const settings = { policy: 'random', seed: 1, layers: 'all', splits: null }
const pull: SearchPull = {
  seq: 0,
  arm: 'main h1',
  checkpoint: 'main',
  layer: 'h1',
  by: 'policy',
  tasks: ['A'],
  scores: { A: 0.5 },
  seconds: 2,
  reused: 0,
}

describe('the folder of a search', () => {
  test('keeps its pulls for a search of equal settings, whatever was noted', async () => {
    const first = await openSearch(path('one'), settings)
    await first.add(pull)
    await first.note({ pulls: 1, best: { arm: 'main h1', reward: 0.5 } })
    await first.close()
    const again = await openSearch(path('one'), { ...settings })
    expect(again.pulls).toEqual([pull])
    await again.close()
    expect(await readSearch(path('one'))).toEqual({
      policy: 'random',
      best: { arm: 'main h1', reward: 0.5 },
      pulls: [pull],
    })
  })

  test.each([
    ['another value', { ...settings, seed: 2 }, 'seed'],
    ['a setting more', { ...settings, means: [2] }, 'means'],
    ['a setting less', { policy: 'random', seed: 1, splits: null }, 'layers'],
  ])('refuses a search of other settings, by the name of the first: %s', async (_, other, name) => {
    const folder = path(`refused-${name}`)
    await (await openSearch(folder, settings)).close()
    await expect(openSearch(folder, other)).rejects.toMatchObject({
      code: 'usage.conflict',
      message: expect.stringContaining(`its ${name} differs`) as string,
    })
    // and lets go of the folder
    await (await openSearch(folder, settings)).close()
  })

  test('is of one process at a time, and none is another folder', async () => {
    const first = await openSearch(path('busy'), settings)
    await expect(openSearch(path('busy'), settings)).rejects.toMatchObject({ code: 'usage.conflict' })
    await first.close()
    await (await openSearch(path('busy'), settings)).close()
    expect(await readSearch(path('nowhere'))).toBeUndefined()
  })
})
