import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openLanes } from '../../../src/serve/board/lanes.ts'

const never = new AbortController().signal

test('no more run at once than there are lanes, in the order of asking, whatever fails', async () => {
  const lanes = openLanes(2)
  let [running, most] = [0, 0]
  const began: number[] = []
  const work = (name: number) => async (): Promise<number> => {
    began.push(name)
    most = Math.max(most, ++running)
    await turn()
    running--
    if (name === 1) throw new Error('no such result')
    return name
  }
  const all = await Promise.allSettled([0, 1, 2, 3, 4, 5].map((name) => lanes.take(never, work(name))))
  expect([most, began]).toEqual([2, [0, 1, 2, 3, 4, 5]])
  expect(all.map((one) => (one.status === 'fulfilled' ? one.value : 'failed'))).toEqual([0, 'failed', 2, 3, 4, 5])
  expect(await lanes.take(never, () => Promise.resolve('free again'))).toBe('free again')
})

test('a client that goes while it waits costs nothing', async () => {
  const lanes = openLanes(1)
  const gone = new AbortController()
  let ran = false
  const first = lanes.take(never, () => turn('first'))
  const leaving = lanes.take(gone.signal, () => Promise.resolve((ran = true)))
  const last = lanes.take(never, () => Promise.resolve('last'))
  gone.abort()
  await expect(leaving).rejects.toMatchObject({ code: 'run.cancelled' })
  expect([await first, await last, ran]).toEqual(['first', 'last', false])
})
