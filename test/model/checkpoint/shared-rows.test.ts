import { describe, expect, test } from 'vitest'
import { sharedRows } from '../../../src/model/checkpoint/shared-rows.ts'

const request = { identity: 'a', prompt: null, maxLength: 8, lowerCase: false, chat: false }
const row = (id: number) => ({ ids: Int32Array.of(id), typeIds: Int32Array.of(0) })

/** Asks for the rows of a list, each time with another id: the one that comes back says which call made it. */
function asking(options?: Parameters<typeof sharedRows>[0]) {
  const rowsOf = sharedRows(options)
  let calls = 0
  return async (texts: readonly string[], changed: Partial<typeof request> | { prompt: string } = {}) => {
    const id = ++calls
    const rows = await rowsOf(texts, { ...request, ...changed }, () => Promise.resolve(texts.map(() => row(id))))
    return rows[0]?.ids[0]
  }
}

describe('rows that models share', () => {
  test('come from the first call with the same texts', async () => {
    const ask = asking()
    expect([
      await ask(['x', 'y']),
      await ask(['x', 'y']),
      await ask(['x', 'z']),
      await ask(['x']),
      await ask(['x', 'z']),
    ]) //
      .toEqual([1, 1, 3, 4, 3])
  })

  test.each([{ prompt: 'query: ' }, { maxLength: 4 }, { lowerCase: true }, { chat: true }, { identity: 'b' }])(
    'are tokenised anew with %j',
    async (changed) => {
      const ask = asking()
      expect([await ask(['x']), await ask(['x'], changed), await ask(['x'], changed)]).toEqual([1, 2, 2])
    },
  )

  test('leave with their tokenizer', async () => {
    const ask = asking()
    expect([await ask(['x']), await ask(['x'], { identity: 'b' }), await ask(['x'])]).toEqual([1, 2, 3])
  })

  test('stay as far as there is room', async () => {
    // a row of one token takes 264 bytes
    const ask = asking({ bytes: 600 })
    expect([await ask(['x', 'y']), await ask(['z']), await ask(['x', 'y']), await ask(['z'])]).toEqual([1, 2, 1, 4])
    // what a tokenizer had is free for the next one
    expect([await ask(['z'], { identity: 'b' }), await ask(['z'], { identity: 'b' })]).toEqual([5, 5])
  })
})
