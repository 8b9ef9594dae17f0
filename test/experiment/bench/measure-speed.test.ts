import { expect, test } from 'vitest'
import { measureSpeed, type Measurable } from '../../../src/experiment/bench/measure-speed.ts'
import { timeCalls } from '../../../src/experiment/bench/time-calls.ts'

/** A clock that stands still except while a text is encoded. */
function fakeModel(name: string, secondsPerText: number, log: string[]): Measurable {
  let now = 0
  const texts = ['a', 'b', 'c', 'd', 'e']
  const encode = async (part: readonly string[]): Promise<number> => {
    now += secondsPerText * part.length
    return 2 * part.length
  }
  return {
    open: async () => ({ model: name, revision: 'r', representation: 'default', fileBytes: 7, loadSeconds: 3 }),
    round(batch) {
      log.push(`${name}${batch}`)
      return timeCalls(encode, { texts, batch, clock: () => now })
    },
    close: async () => 1000,
    stop: () => void log.push(`stop ${name}`),
  }
}

test('models take turns, and the first round of each batch size does not count', async () => {
  const log: string[] = []
  const models = [fakeModel('A', 0.5, log), fakeModel('B', 0.25, log)]
  const done: number[] = []
  const onProgress = ({ done: now }: { done: number }): void => void done.push(now)
  const rows = await measureSpeed(models, { batches: [1, 2], rounds: 2, onProgress })
  const turn = ['A1', 'B1', 'A2', 'B2']
  expect(log).toEqual([...turn, ...turn, ...turn, 'stop A', 'stop B'])
  expect(done).toEqual(Array.from({ length: 12 }, (_, i) => i + 1))
  expect(rows.map(({ name, peakBytes, loadSeconds }) => [name, peakBytes, loadSeconds])).toEqual([
    ['A#default', 1000, 3],
    ['B#default', 1000, 3],
  ])
  expect(rows.map(({ sizes }) => sizes.map(({ textsPerSecond }) => textsPerSecond))).toEqual([
    [1, 2].map(() => ({ median: 2, low: 2, high: 2 })),
    [1, 2].map(() => ({ median: 4, low: 4, high: 4 })),
  ])
  // five texts in calls of two: two rounds of three calls, the last of one text
  expect(rows[0]?.sizes[1]?.latency).toMatchObject({ p50: 1, calls: 6 })
})

test('when a model fails, all of them are ended', async () => {
  const log: string[] = []
  const broken = { ...fakeModel('B', 1, log), round: () => Promise.reject(new Error('out of memory')) }
  await expect(measureSpeed([fakeModel('A', 1, log), broken], { batches: [1], rounds: 2 })).rejects.toThrow(
    'out of memory',
  )
  expect(log).toEqual(['A1', 'stop A', 'stop B'])
})
