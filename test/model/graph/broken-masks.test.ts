/**
 * Every pico model on batches that break masks: rows without tokens, one column, holes in the mask. No output may be
 * NaN, real rows must not notice.
 */
import { describe, expect, test } from 'vitest'
import { specOf } from '#model/architectures'
import { buildGraph, poolModes } from '#model/graph'
import { shared } from '../../shared.ts'
import { goldenFolders, pico, readConfig, tolerances } from './pico-golden.ts'
import { loadGraph, type Floats, type LoadedGraph } from './run-graph.ts'
import { fileSource } from './safetensors-source.ts'

const request = {
  states: 'all',
  tokens: true,
  lastState: true,
  pool: poolModes,
  logits: 'auto',
  finalNorm: 'always',
} as const

async function open(name: string): Promise<LoadedGraph> {
  return loadGraph(
    await buildGraph(specOf(readConfig(name), { place: name }), fileSource(pico(name, 'model.safetensors')), request),
  )
}

type Rows = readonly (readonly number[])[]

async function run(session: LoadedGraph, ids: Rows, mask: Rows): Promise<ReadonlyMap<string, Floats>> {
  const dims = [ids.length, ids[0]?.length ?? 0]
  return session.run({ input_ids: { dims, data: ids.flat() }, attention_mask: { dims, data: mask.flat() } })
}

/** Everything about row r: token states up to `count`, vectors, logits. */
function rowValues(results: ReadonlyMap<string, Floats>, r: number, count: number): number[] {
  return [...results].flatMap(([, { dims, data }]) => {
    const rest = dims.slice(1).reduce((a, b) => a * b, 1)
    const width = dims.at(-1) ?? 1
    return Array.from(data.subarray(r * rest, r * rest + (dims.length === 3 ? count * width : rest)))
  })
}

function apart(a: readonly number[], b: readonly number[]): number {
  expect(a.length).toBe(b.length)
  return a.reduce((worst, value, i) => Math.max(worst, Math.abs(value - (b[i] ?? Number.NaN))), 0)
}

describe.skipIf(shared === undefined)('broken masks', () => {
  test.each(goldenFolders)('%s', async (name) => {
    const session = await open(name)
    const text = [7, 8, 9, 10, 11]
    const pad = Number(readConfig(name)['pad_token_id'] ?? 0)
    const real = text.map(() => 1)
    const alone = await run(session, [text], [real])

    const padded = [...text, pad, pad, pad]
    const mask = [...real, 0, 0, 0]
    const empty = padded.map(() => pad)
    const together = await run(
      session,
      [empty, padded, [...text, 12, 13, 14]],
      [empty.map(() => 0), mask, [...real, 1, 1, 1]],
    )
    const single = await run(session, [[7]], [[1]])
    const nothing = await run(session, [[pad]], [[0]])
    const hole = await run(session, [text], [[1, 0, 1, 1, 0]])
    await session.close()

    for (const results of [alone, together, single, nothing, hole]) {
      for (const [output, { data }] of results) expect([output, data.some(Number.isNaN)]).toEqual([output, false])
    }
    // Twice the tolerance to the reference: both sides may be off. Rope variants that follow the batch are short here
    // in both.
    expect(apart(rowValues(together, 1, text.length), rowValues(alone, 0, text.length))).toBeLessThan(
      2 * (tolerances.get(name) ?? 0),
    )
  })
})
