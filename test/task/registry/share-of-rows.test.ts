/** A share of what a task asks: the same rows for everybody, a smaller share within a larger one, the rest of the task as it is. */
import { expect, test } from 'vitest'
import { shareOfRows } from '../../../src/task/registry/share-of-rows.ts'

const part = { split: 'test', subset: 'default' }

test('a larger share holds every smaller one, in the order of the rows', () => {
  const of = (share: number): number[] => shareOfRows(1000, share, 'STSBenchmark', part)
  expect([0.001, 0.1, 0.125, 0.9995].map((share) => of(share).length)).toEqual([1, 100, 125, 1000])
  expect(of(0.5)).toEqual([...of(0.5)].sort((a, b) => a - b))
  expect(of(0.125).every((row) => of(0.5).includes(row))).toBe(true)
  // spread over all of them: a quarter of each quarter, give or take
  const quarters = [0, 250, 500, 750].map((from) => of(0.25).filter((row) => row >= from && row < from + 250).length)
  expect(Math.min(...quarters)).toBeGreaterThan(40)
})

test('each task, split and subset draws its own', () => {
  const draws = [
    shareOfRows(1000, 0.1, 'STSBenchmark', part),
    shareOfRows(1000, 0.1, 'SICK-R', part),
    shareOfRows(1000, 0.1, 'STSBenchmark', { ...part, split: 'dev' }),
    shareOfRows(1000, 0.1, 'STSBenchmark', { ...part, subset: 'de' }),
  ]
  expect(new Set(draws.map((rows) => rows.join())).size).toBe(4)
})
