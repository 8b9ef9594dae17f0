import { describe, expect, test } from 'vitest'
import type { Outputs } from '#platform/runtime'
import {
  fedColumns,
  keepColumns,
  type PastColumns,
  noColumns,
  pickRows,
} from '../../../src/model/language/past-columns.ts'

type Graph = Parameters<typeof fedColumns>[0] & Parameters<typeof keepColumns>[2]['graph']

/** Two heads of width 2, and a scan's state, as a graph that appends tells of them. */
const graph: Graph = {
  inputs: [
    { name: 'input_ids', dtype: 'int32', dims: ['rows', 'cols'] },
    { name: 'past.0.key', dtype: 'float32', dims: ['rows', 2, 'past', 2] },
    { name: 'past.1.state', dtype: 'float32', dims: ['rows', 3] },
  ],
  outputs: [
    { name: 'picked_logits', kind: 'picked' },
    { name: 'present.0.key', kind: 'present', dims: ['rows', 2, 'cols', 2] },
    { name: 'present.1.state', kind: 'present', dims: ['rows', 3] },
  ],
} as unknown as Graph

/** The key of row r, head h at a place. */
const keyAt = (r: number, h: number, place: number): number[] => [r * 10_000 + h * 1000 + place, -place]

/** Keys [rows × 2 × (to − from) × 2] and the state after place `to`, with what was fed coming back. */
function outputsOf(rows: readonly number[], from: number, to: number, { past }: PastColumns): Outputs {
  const places = Array.from({ length: to - from }, (_, i) => from + i)
  const keys = rows.flatMap((r) => [0, 1].flatMap((h) => places.flatMap((place) => keyAt(r, h, place))))
  const fed = past.states.get('past.0.key')
  return {
    'present.0.key': { dtype: 'float32', dims: [rows.length, 2, to - from, 2], data: Float32Array.from(keys) },
    'present.1.state': {
      dtype: 'float32',
      dims: [rows.length, 3],
      data: Float32Array.from(rows.flatMap((r) => [r, to, 7])),
    },
    ...(fed === undefined ? {} : { 'past.0.key': { dtype: 'float32' as const, ...fed } }),
  }
}

/** What the columns in use hold: [row][head][place]. */
function keysIn({ used, past }: PastColumns): number[][][][] {
  const { dims, data } = past.states.get('past.0.key') ?? { dims: [], data: new Float32Array(0) }
  expect(dims.slice(1)).toEqual([2, past.length, 2])
  expect(data.length).toBe((dims[0] ?? 0) * 2 * past.length * 2)
  return Array.from({ length: dims[0] ?? 0 }, (_, r) =>
    [0, 1].map((h) =>
      Array.from({ length: used }, (__, place) =>
        Array.from(data.subarray(((r * 2 + h) * past.length + place) * 2, ((r * 2 + h) * past.length + place + 1) * 2)),
      ),
    ),
  )
}
const wantedOf = (rows: readonly number[], used: number): number[][][][] =>
  rows.map((r) => [0, 1].map((h) => Array.from({ length: used }, (_, place) => keyAt(r, h, place).map(Math.fround))))

describe('kept columns', () => {
  test('of a prompt, then of one token after another, are where they were put, through several rooms', () => {
    let kept = keepColumns(noColumns, outputsOf([0, 1, 2], 0, 5, noColumns), { graph, cols: 5 })
    const lengths = new Set([kept.past.length])
    expect(keysIn(kept)).toEqual(wantedOf([0, 1, 2], 5))
    for (let place = 5; place < 200; place++) {
      const before = kept.past.states.get('past.0.key')?.data
      const { length } = kept.past
      kept = keepColumns(kept, outputsOf([0, 1, 2], place, place + 1, kept), { graph, cols: 1 })
      // the buffer that was fed is written to, where it has room
      expect(kept.past.states.get('past.0.key')?.data === before).toBe(kept.past.length === length)
      lengths.add(kept.past.length)
      expect(keysIn(kept)).toEqual(wantedOf([0, 1, 2], place + 1))
    }
    expect(kept.used).toBe(200)
    expect(lengths.size).toBeLessThan(6)
    expect(Array.from(kept.past.states.get('past.1.state')?.data ?? [])).toEqual([0, 200, 7, 1, 200, 7, 2, 200, 7])
  })

  test('fill their room to its last column before there is a new one', () => {
    const first = keepColumns(noColumns, outputsOf([0, 1], 0, 5, noColumns), { graph, cols: 5 })
    const { length } = first.past
    const full = keepColumns(first, outputsOf([0, 1], 5, length, first), { graph, cols: length - 5 })
    expect([full.used, full.past.length]).toEqual([length, length])
    expect(full.past.states.get('past.0.key')?.data).toBe(first.past.states.get('past.0.key')?.data)
    const over = keepColumns(full, outputsOf([0, 1], length, length + 1, full), { graph, cols: 1 })
    expect(over.past.length).toBeGreaterThan(length)
    expect(keysIn(over)).toEqual(wantedOf([0, 1], length + 1))
  })

  test('of some of the rows', () => {
    const all = keepColumns(noColumns, outputsOf([0, 1, 2], 0, 5, noColumns), { graph, cols: 5 })
    const some = pickRows(all, [0, 2], 3)
    expect([some.used, some.past.length]).toEqual([all.used, all.past.length])
    expect(keysIn(some)).toEqual(wantedOf([0, 2], 5))
    const on = keepColumns(some, outputsOf([0, 2], 5, 8, some), { graph, cols: 3 })
    expect(keysIn(on)).toEqual(wantedOf([0, 2], 8))
    expect(Array.from(on.past.states.get('past.1.state')?.data ?? [])).toEqual([0, 8, 7, 2, 8, 7])
  })

  test('names those that are fed to come back', () => {
    expect(fedColumns(graph, noColumns)).toEqual([])
    const kept = keepColumns(noColumns, outputsOf([0], 0, 1, noColumns), { graph, cols: 1 })
    expect(fedColumns(graph, kept)).toEqual(['past.0.key'])
  })

  test('are missed where the graph gave none, or did not give back', () => {
    const kept = keepColumns(noColumns, outputsOf([0], 0, 1, noColumns), { graph, cols: 1 })
    expect(() => keepColumns(kept, {}, { graph, cols: 1 })).toThrow(expect.objectContaining({ code: 'engine.run' }))
    const { 'past.0.key': gone, ...others } = outputsOf([0], 1, 2, kept)
    expect(gone).toBeDefined()
    expect(() => keepColumns(kept, others, { graph, cols: 1 })).toThrow(expect.objectContaining({ code: 'engine.run' }))
  })
})
