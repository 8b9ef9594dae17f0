import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { CallOptions } from '#core'
import { begunAhead } from '../../../src/experiment/sweep/begun-ahead.ts'

/** So many turns of the event loop. */
async function turns(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await turn()
}

describe('begun ahead', () => {
  interface Piece {
    readonly item: string
    close(): void
  }
  /** Begins at once; says what happened. */
  const watched = (events: string[]) => (item: string, call: CallOptions) => {
    events.push(`begin ${item}`)
    call.onProgress?.({ stage: item, done: 0, total: 1, unit: 'texts' })
    return Promise.resolve<Piece>({ item, close: () => events.push(`close ${item}`) })
  }

  test('an item is begun when the one before is handed out, and closed before the next is', async () => {
    const events: string[] = []
    for await (const { item } of begunAhead(['a', 'b', 'c'], watched(events))) {
      events.push(`use ${item}`)
      await turn()
    }
    expect(events).toEqual([
      'begin a',
      'begin b',
      'use a',
      'close a',
      'begin c',
      'use b',
      'close b',
      'use c',
      'close c',
    ])
  })

  test('while there is room, one after another is begun ahead, and at least one in any case', async () => {
    const events: string[] = []
    const begin = async (item: string, call: CallOptions): Promise<Piece & { size: number }> => {
      const piece = await watched(events)(item, call)
      await turns(2)
      events.push(`begun ${item}`)
      return { ...piece, size: item === 'c' ? 5 : 1 }
    }
    for await (const { item } of begunAhead(['a', 'b', 'c', 'd', 'e'], begin, { room: 3 })) {
      events.push(`use ${item}`)
      await turns(20)
    }
    expect(events.join(', ')).toBe(
      [
        // a, b and c hold 7 of 3, so that d waits until it is next
        'begin a, begun a, begin b, use a, begun b, begin c, begun c, close a',
        'use b, close b, begin d, use c, begun d, close c',
        'begin e, use d, begun e, close d, use e, close e',
      ].join(', '),
    )
  })

  test('leaving early cancels what is under way, awaits its end and closes it', async () => {
    const events: string[] = []
    const begin = async (item: string, { signal }: CallOptions): Promise<Piece> => {
      if (item === 'b') await new Promise((resolve) => signal?.addEventListener('abort', resolve))
      await turns(5)
      return { item, close: () => events.push(`close ${item}`) }
    }
    for await (const { item } of begunAhead(['a', 'b', 'c'], begin)) {
      events.push(`use ${item}`)
      break
    }
    expect(events).toEqual(['use a', 'close a', 'close b'])
  })

  test("the caller's own signal reaches every item", async () => {
    const stop = new AbortController()
    const begin = (item: string, { signal }: CallOptions): Promise<Piece> => {
      if (item === 'b') stop.abort()
      return signal?.aborted === true
        ? Promise.reject(new Error(`${item} was stopped`))
        : Promise.resolve({ item, close: () => undefined })
    }
    const used: string[] = []
    const all = async (): Promise<void> => {
      for await (const { item } of begunAhead(['a', 'b'], begin, { signal: stop.signal })) used.push(item)
    }
    await expect(all()).rejects.toThrow('b was stopped')
    expect(used).toEqual(['a'])
  })

  test('a failure waits for its turn', async () => {
    const begin = (item: string): Promise<Piece> =>
      item === 'b' ? Promise.reject(new Error('no b')) : Promise.resolve({ item, close: () => undefined })
    const used: string[] = []
    const all = async (): Promise<void> => {
      for await (const { item } of begunAhead(['a', 'b', 'c'], begin)) {
        await turns(5)
        used.push(item)
      }
    }
    await expect(all()).rejects.toThrow('no b')
    expect(used).toEqual(['a'])
  })

  test('progress is heard of what is waited for, not of what runs beside', async () => {
    const heard: string[] = []
    const begin = async (item: string, { onProgress }: CallOptions): Promise<Piece> => {
      onProgress?.({ stage: `${item} early`, done: 0, total: 1, unit: 'texts' })
      await turns(20)
      onProgress?.({ stage: `${item} late`, done: 1, total: 1, unit: 'texts' })
      return { item, close: () => undefined }
    }
    for await (const _ of begunAhead(['a', 'b'], begin, { onProgress: ({ stage }) => heard.push(stage) })) await turn()
    expect(heard).toEqual(['a early', 'a late', 'b late'])
  })
})
