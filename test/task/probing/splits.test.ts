import { describe, expect, test } from 'vitest'
import { capped, drawSplits } from '../../../src/task/probing/splits.ts'

describe('splits that are drawn', () => {
  test('are 70, 10 and 20 parts of 100 groups, always the same', () => {
    const splits = drawSplits(100)
    const counts = ['train', 'dev', 'test'].map((name) => splits.filter((split) => split === name).length)
    expect(counts).toEqual([70, 10, 20])
    expect(drawSplits(100)).toEqual(splits)
  })

  test('are drawn as by random.Random(0).shuffle', () => {
    // CPython 3.11: [0, 1, 2, 3, 4] becomes [2, 1, 0, 4, 3]; of five groups 3.5 and 4 end the parts, rounded 4 and 4
    expect(drawSplits(5)).toEqual(['train', 'train', 'train', 'test', 'train'])
  })
})

describe('a split that is too large', () => {
  const groups = (...sizes: readonly number[]): string[][] =>
    sizes.map((size, group) => Array.from({ length: size }, (_, i) => `${group}.${i}`))
  const kept = (instances: readonly string[]): number[] => [
    ...new Set(instances.map((one) => Number.parseInt(one, 10))),
  ]

  test('ends with the first group in the drawn order that has no room, in the old order', () => {
    // CPython 3.11, random.Random(0).shuffle: groups come as 2 1 0 4 3; a development split has room for 4,000
    const own = groups(3000, 3000, 10, 10, 10)
    const instances = capped(own, 'dev')
    expect(kept(instances)).toEqual([1, 2])
    expect(instances).toEqual([...(own[1] ?? []), ...(own[2] ?? [])])
  })

  test('is what it was where it fits, to the last instance', () => {
    const own = groups(3980, 10, 10)
    expect(capped(own, 'dev')).toEqual(own.flat())
    expect(capped(groups(8000), 'test')).toHaveLength(8000)
    expect(capped(groups(8001), 'test')).toHaveLength(0)
    expect(capped(groups(28_000), 'train')).toHaveLength(28_000)
    expect(capped(groups(28_001), 'train')).toHaveLength(0)
  })

  test('takes a group that fills it', () => {
    // 2 1 0 …: 10, then 3,990
    expect(kept(capped(groups(1, 3990, 10, 1, 1), 'dev'))).toEqual([1, 2])
  })
})
