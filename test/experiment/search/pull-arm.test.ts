import { expect, test } from 'vitest'
import { secondsNext } from '../../../src/experiment/search/pull-arm.ts'
import type { SearchPull } from '../../../src/experiment/search/search-state.ts'

const arms = ['one', 'one', 'two'].map((checkpoint, i) => ({
  key: `${checkpoint} h${i}`,
  checkpoint,
  layer: `h${i}`,
}))
const took = (...seconds: readonly (readonly [checkpoint: string, seconds: number])[]) => {
  const pulls = seconds.map(([checkpoint, own]) => ({ checkpoint, seconds: own })) as unknown as SearchPull[]
  // of an arm of the first checkpoint, and of the other's
  const next = secondsNext(arms, pulls)
  const told = pulls.map(() => ({ arm: 0, rewards: {} }))
  return [next(1, told), next(2, told)]
}

test('a pull costs what the later ones took, and at another checkpoint what opening one took as well', () => {
  // before anything is known: one, and five for a checkpoint
  expect(took()).toEqual([6, 6])
  expect(took(['one', 10])).toEqual([1, 1 + 9])
  expect(took(['one', 10], ['one', 2], ['one', 4])).toEqual([3, 3 + 7])
  expect(took(['one', 10], ['two', 20], ['one', 2])).toEqual([2, 2])
  // an opening that cost nothing gives nothing back
  expect(took(['one', 1], ['one', 3])).toEqual([3, 3])
})

test('a resumed search knows what was known then', () => {
  const pulls = [
    { checkpoint: 'one', seconds: 10 },
    { checkpoint: 'one', seconds: 2 },
  ] as unknown as SearchPull[]
  expect(secondsNext(arms, pulls)(2, [{ arm: 0, rewards: {} }])).toBe(1 + 9)
})
