import { describe, expect, test } from 'vitest'
import type { TokenRow } from '#model/passes'
import type { PassSlot } from '../../../src/serve/api/pass-load.ts'
import { type Pass, passQueue } from '../../../src/serve/api/pass-queue.ts'

/** A row's state h is [h, its first id]; `last` counts as 100. */
const idOf = (slot: PassSlot): number => (slot === 'last' ? 100 : slot)
const row = (...ids: number[]): TokenRow => ({ ids: Int32Array.from(ids), typeIds: new Int32Array(ids.length) })

interface Ran {
  readonly first: number[]
  readonly slots: readonly PassSlot[]
  readonly skipped: number
  readonly pooling: string
}

function watched(
  maxBatchTokens: number,
  { fails, lanes }: { fails?: (rows: readonly TokenRow[]) => boolean; lanes?: number } = {},
) {
  const ran: Ran[] = []
  const seen = { passes: [] as number[], most: 0 }
  let running = 0
  const run: Pass = async (rows, { slots, skipped, pooling, passes }) => {
    ran.push({ first: rows.map(({ ids }) => ids[0] ?? -1), slots, skipped, pooling })
    seen.passes.push(passes)
    seen.most = Math.max(seen.most, ++running)
    await new Promise((resolve) => setImmediate(resolve))
    running--
    if (fails?.(rows) === true) throw new Error('out of memory')
    return slots.map((slot) => Float32Array.from(rows.flatMap(({ ids }) => [idOf(slot), ids[0] ?? -1])))
  }
  const queue = passQueue({ run, maxBatchTokens, lanes })
  const ask = (rows: readonly TokenRow[], slots: readonly PassSlot[] = [0], more: object = {}) =>
    queue.ask({ rows, slots, skipped: 0, pooling: 'mean', ...more })
  return { ran, seen, queue, ask }
}

describe('a queue of passes', () => {
  test('everyone who asks in one turn is in one pass, and gets the states asked for, in order', async () => {
    const { ran, ask } = watched(100)
    const [a, b] = await Promise.all([ask([row(1), row(2)], [3, 'last']), ask([row(7)], [5])])
    expect(ran).toEqual([{ first: [1, 7, 2], slots: [3, 'last', 5], skipped: 0, pooling: 'mean' }])
    expect(a.map((block) => [...block])).toEqual([
      [3, 1, 3, 2],
      [100, 1, 100, 2],
    ])
    expect(b.map((block) => [...block])).toEqual([[5, 7]])
  })

  test('a row that several ask for is in a pass once', async () => {
    const { ran, ask } = watched(100)
    const answers = await Promise.all([0, 1, 2].map((h) => ask([row(4, 5), row(6)], [h])))
    expect(ran.map(({ first }) => first)).toEqual([[4], [6]])
    expect(answers.map(([block]) => [...(block ?? [])])).toEqual([0, 1, 2].map((h) => [h, 4, h, 6]))
  })

  test('rows of the same ids and other types are not the same row', async () => {
    const { ran, ask } = watched(100)
    await Promise.all([ask([row(4, 5)]), ask([{ ids: Int32Array.of(4, 5), typeIds: Int32Array.of(0, 1) }])])
    expect(ran.map(({ first }) => first)).toEqual([[4, 4]])
  })

  test('rows of one length share a pass, and the oldest request chooses the length', async () => {
    const { ran, ask } = watched(100, { lanes: 1 })
    const answers = await Promise.all([
      ask([row(1, 1), row(2), row(3, 3)]),
      ask([row(4)], [1]),
      ask([row(5, 5, 5), row(6, 6)]),
    ])
    expect(ran.map(({ first }) => first)).toEqual([[1, 6, 3], [4, 2], [5]])
    expect(answers.map(([block]) => [...(block ?? [])])).toEqual([
      [0, 1, 0, 2, 0, 3],
      [1, 4],
      [0, 5, 0, 6],
    ])
  })

  test('passes run at the same time, and each learns how many run or wait', async () => {
    const { seen, ask } = watched(100, { lanes: 2 })
    await ask([row(1), row(2, 2), row(3, 3, 3), row(4, 4, 4, 4)])
    expect(seen.most).toBe(2)
    expect(seen.passes).toEqual([4, 4, 3, 2])
  })

  test('requests take turns: a small one does not wait for all of a large one', async () => {
    const { ran, ask } = watched(2)
    const ended: string[] = []
    const large = ask(Array.from({ length: 6 }, (_, i) => row(10 + i))).then(() => ended.push('large'))
    const small = ask([row(1)]).then(() => ended.push('small'))
    await Promise.all([large, small])
    expect(ran[0]?.first).toEqual([10, 1])
    expect(ended).toEqual(['small', 'large'])
    expect(ran.every(({ first }) => first.length <= 2)).toBe(true)
  })

  test('a row longer than a pass goes alone', async () => {
    const { ran, ask } = watched(2)
    const [block] = await ask([row(1, 1, 1, 1), row(2)])
    expect(ran.map(({ first }) => first)).toEqual([[1], [2]])
    expect([...(block ?? [])]).toEqual([0, 1, 0, 2])
  })

  test('another pooling, and another prompt, is another pass', async () => {
    const { ran, ask } = watched(100)
    await Promise.all([ask([row(1)]), ask([row(1)], [0], { pooling: 'cls' }), ask([row(1)], [0], { skipped: 2 })])
    expect(ran.map(({ pooling, skipped }) => `${pooling} ${skipped}`).sort()).toEqual(['cls 0', 'mean 0', 'mean 2'])
  })

  test('no request starves behind an endless row of others', async () => {
    const { ran, ask } = watched(1)
    const flood = async (count: number): Promise<void> => {
      if (count === 0) return
      await ask([row(count)])
      await flood(count - 1)
    }
    await Promise.all([flood(50), flood(50), ask([row(5)], [0], { pooling: 'cls' })])
    expect(ran.findIndex(({ pooling }) => pooling === 'cls')).toBeLessThan(4)
  })

  test('a client that goes leaves the queue, and takes nobody with it', async () => {
    const { ran, queue, ask } = watched(1)
    const gone = new AbortController()
    const first = ask([row(1)])
    const leaving = ask([row(2), row(3)], [0], { signal: gone.signal })
    const staying = ask([row(4)])
    expect(queue.waitingTokens()).toBe(4)
    gone.abort()
    await expect(leaving).rejects.toMatchObject({ code: 'run.cancelled' })
    await Promise.all([first, staying])
    expect(ran.map(({ first: ids }) => ids)).toEqual([[1], [4]])
    expect(queue.waitingTokens()).toBe(0)
    await expect(ask([row(1)], [0], { signal: gone.signal })).rejects.toMatchObject({ code: 'run.cancelled' })
  })

  test('a pass that fails is the fault of those in it, and the queue goes on', async () => {
    const { ask } = watched(1, { fails: (rows) => rows[0]?.ids[0] === 13 })
    const [bad, good] = await Promise.allSettled([ask([row(13), row(2)]), ask([row(3)])])
    expect(bad).toMatchObject({ status: 'rejected', reason: { message: 'out of memory' } })
    expect(good.status).toBe('fulfilled')
    const [again] = await ask([row(8)])
    expect([...(again ?? [])]).toEqual([0, 8])
  })

  test('no rows: an empty block for each state', async () => {
    const { ran, ask } = watched(1)
    expect((await ask([], [0, 1])).map(({ length }) => length)).toEqual([0, 0])
    expect(ran).toEqual([])
  })
})
