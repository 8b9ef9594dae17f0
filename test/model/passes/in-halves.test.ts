import { describe, expect, test } from 'vitest'
import { fault } from '#core'
import { forwardPooled, inHalves } from '#model/passes'
import type { Feeds, Session } from '#platform/runtime'

const noMemory = () => fault('engine.memory', { place: 'engine', what: 'no memory for it' })

/** A device with room for `most` tokens at a time, which sums the ids of each row. */
function smallDevice(holds: number): { session: Session; ran: number[][]; refused: number[][] } {
  const [ran, refused]: [number[][], number[][]] = [[], []]
  const session = {
    lost: false,
    inputs: [],
    outputs: [],
    run: async ({ input_ids: ids }: Feeds) => {
      const [rows = 0, cols = 0] = ids?.dims ?? []
      if (rows * cols > holds) {
        refused.push([rows, cols])
        throw noMemory()
      }
      ran.push([rows, cols])
      const data = Float32Array.from({ length: rows }, (_, row) =>
        Array.from({ length: cols }, (__, col) => Number(ids?.data[row * cols + col])).reduce((a, b) => a + b, 0),
      )
      return { pooled: { dtype: 'float32' as const, dims: [rows, 1], data } }
    },
    close: async () => undefined,
  } satisfies Session
  return { session, ran, refused }
}

const rowsOf = (lengths: readonly number[]) =>
  lengths.map((length, at) => ({ ids: new Int32Array(length).fill(at + 1), typeIds: new Int32Array(length) }))
const lengths = [8, 8, 8, 8, 8, 8, 8, 8, 4, 4, 4, 4, 2]
const options = { budget: 64, padId: 0, promptTokens: 0, inputs: new Set<string>() }
const forward = (session: Session) => forwardPooled(session, rowsOf(lengths), [{ output: 'pooled', width: 1 }], options)

describe('a device without memory for a batch', () => {
  test('gets it in parts, and every text its vector in its place', async () => {
    const { session, ran, refused } = smallDevice(17)
    const [vectors] = await forward(session)
    expect([...(vectors ?? [])]).toEqual(lengths.map((length, at) => length * (at + 1)))
    expect(ran.toSorted((a, b) => (b[1] ?? 0) - (a[1] ?? 0))).toEqual([
      ...Array.from({ length: 4 }, () => [2, 8]),
      [4, 4],
      [1, 2],
    ])
    // 64 tokens, then the first 32; the other half is not tried
    expect(refused).toEqual([
      [8, 8],
      [4, 8],
    ])
  })

  test('that cannot hold one text is the fault of that text', async () => {
    await expect(forward(smallDevice(7).session)).rejects.toMatchObject({ code: 'engine.memory' })
  })
})

test('any other fault is not tried again', async () => {
  let runs = 0
  const run = async (): Promise<void> => {
    runs++
    throw fault('engine.run', { place: 'engine', what: 'broken' })
  }
  await expect(inHalves([1, 2], { size: () => 2, room: { most: Infinity } }, run)).rejects.toMatchObject({
    code: 'engine.run',
  })
  expect(runs).toBe(1)
})
