import { describe, expect, test } from 'vitest'
import type { Ask, Chooser, Pull } from '#experiment/search'
import { checkpointAfter } from '../../../src/experiment/search/look-ahead.ts'

const arms = ['one', 'one', 'two', 'three'].map((checkpoint, i) => ({ key: `${checkpoint} h${i}`, checkpoint }))
const tasks = ['A', 'B']
const base = { arms, present: 'one', pulls: [] as readonly Pull[], tasks, left: 9 }

/** Asks these one after the other, and remembers what it was told. */
function chooser(...asks: readonly (Ask | undefined)[]): { choose: Chooser; told: number[] } {
  const told: number[] = []
  return {
    told,
    choose: (pulls) => {
      told.push(pulls.length)
      return Promise.resolve(asks[told.length - 1])
    },
  }
}

describe('the checkpoint after this one', () => {
  test('is the first other one that is asked for, each pull until then without a reward', async () => {
    const { choose, told } = chooser({ arm: 0 }, { arm: 1 }, { arm: 2 })
    expect(await checkpointAfter(choose, base)).toBe('two')
    expect(told).toEqual([0, 1, 2])
  })

  test('is none where the budget ends before it', async () => {
    const asks = [{ arm: 0 }, { arm: 1 }, { arm: 3 }]
    expect(await checkpointAfter(chooser(...asks).choose, { ...base, left: 2 })).toBeUndefined()
    expect(await checkpointAfter(chooser(...asks).choose, { ...base, left: 3 })).toBe('three')
    // half of the tasks, a quarter of their rows
    const cheap = [
      { arm: 0, tasks: ['A'] },
      { arm: 2, share: 0.25 },
    ]
    expect(await checkpointAfter(chooser(...cheap).choose, { ...base, left: 0.75 })).toBe('two')
    expect(await checkpointAfter(chooser(...cheap).choose, { ...base, left: 0.7 })).toBeUndefined()
  })

  test('is none where nothing is left, and beyond as many arms as the present one has', async () => {
    expect(await checkpointAfter(chooser({ arm: 0 }, undefined).choose, base)).toBeUndefined()
    const { choose, told } = chooser({ arm: 0 }, { arm: 1 }, { arm: 0 }, { arm: 2 })
    expect(await checkpointAfter(choose, base)).toBeUndefined()
    expect(told).toHaveLength(3)
  })
})
