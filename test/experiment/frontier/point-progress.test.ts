import { expect, test, vi } from 'vitest'
import type { Progress } from '#core'
import { pointProgress } from '../../../src/experiment/frontier/point-progress.ts'

test('points are counted, and a point is heard of before the first one and where it takes long', () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const heard: Progress[] = []
  const progress = pointProgress((one) => heard.push(one), { stage: 'score', total: 3 })
  const encode: Progress = { stage: 'encode', done: 1, total: 2, unit: 'texts' }
  progress.onProgress(encode)
  progress.ended()
  vi.advanceTimersByTime(4000)
  progress.onProgress({ ...encode, stage: 'search' })
  vi.advanceTimersByTime(2000)
  progress.onProgress(encode)
  progress.ended()
  const counted = (done: number): Progress => ({ stage: 'score', done, total: 3, unit: 'points' })
  expect(heard).toEqual([encode, counted(1), encode, counted(2)])
  vi.useRealTimers()
})
