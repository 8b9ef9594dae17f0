/** Tokens that pass in pieces, with what is kept of those before, against one pass: logits of every decoder. */
import { describe, expect, test } from 'vitest'
import type { TensorSource } from '#core'
import { type ModelSpec, recurs, specOf } from '#model/architectures'
import { buildGraph, type Graph } from '#model/graph'
import { graphFeeds, noPast, packedRows, type PastStates } from '../../../src/model/language/pack-feeds.ts'
import { regimeOf } from '../../../src/model/passes/regime.ts'
import { goldenFolder } from '../../golden-of.ts'
import { drawnSource, type FamilyCase } from './drawn-checkpoint.ts'
import { goldenFolders, pico, readConfig } from './pico-golden.ts'
import { type Floats, loadGraph, type LoadedGraph } from './run-graph.ts'
import { fileSource } from './safetensors-source.ts'

interface Subject {
  readonly name: string
  readonly spec: ModelSpec
  readonly source: () => TensorSource
}

const subjects: readonly Subject[] = [
  ...goldenFolders.map((name) => ({
    name,
    spec: specOf(readConfig(name), { place: name }),
    source: () => fileSource(pico(name, 'model.safetensors')),
  })),
  ...goldenFolder<FamilyCase>('model/architectures', 'families').map((file) => ({
    name: `${file.name}, drawn`,
    spec: specOf(file.config, { place: file.name }),
    source: () => drawnSource(file),
  })),
]
const all = subjects.filter(({ spec }) => spec.causal && spec.head === 'causal')
/** Which keys a token sees follows from all tokens at once. */
const seesAtOnce = ({ spec }: Subject): boolean =>
  spec.blocks.some(
    ({ attention, chunk }) =>
      attention.latent?.indexer !== undefined || attention.compressed !== undefined || chunk !== undefined,
  )
const decoders = all.filter((subject) => !seesAtOnce(subject))

test.each(all.filter(seesAtOnce))('$name is refused', async ({ spec, source }) => {
  await expect(buildGraph(spec, source(), { picked: 'logits', past: 'extend' })).rejects.toMatchObject({
    code: 'config.unsupported',
  })
})

const ids = Int32Array.from([5, 9, 3, 11, 7, 2, 14, 6, 8, 4, 13, 10])
const line = (from: number, to: number) => ({
  ids: ids.slice(from, to),
  parents: Int32Array.from({ length: to - from }, (_, i) => i - 1),
  places: Int32Array.from({ length: to - from }, (_, i) => from + i),
})

/** Two ways of one sum in float32 over at most 64 columns, of logits of up to 1; measured: at most 3e-6. */
const close = 1e-5

interface Piece {
  readonly logits: Float32Array
  readonly past: PastStates
}

async function pass(
  loaded: LoadedGraph,
  graph: Graph,
  spec: ModelSpec,
  rows: readonly ReturnType<typeof line>[],
  past: PastStates,
): Promise<Piece> {
  const fed = packedRows(rows, past, spec.padId ?? 0)
  const count = rows.length * fed.cols
  const feeds = {
    ...graphFeeds(graph, fed),
    picked: { dims: [count], data: Int32Array.from({ length: count }, (_, i) => i) },
  }
  const outputs = await loaded.run(feeds)
  const states = [...outputs].flatMap(([name, value]: [string, Floats]) =>
    name.startsWith('present.') ? [[name.replace('present', 'past'), value] as const] : [],
  )
  return {
    logits: outputs.get('picked_logits')?.data ?? new Float32Array(0),
    past: { length: past.length + fed.cols, states: new Map(states) },
  }
}

/** Greatest difference, relative to the greatest of `b` where that is above 1. */
function distance(a: Float32Array, b: Float32Array): number {
  if (a.length !== b.length) return NaN
  const size = b.reduce((most, value) => Math.max(most, Math.abs(value)), 1)
  return a.reduce((most, value, i) => Math.max(most, Math.abs(value - (b[i] ?? NaN))), 0) / size
}

describe.each(decoders)('$name', ({ spec, source }) => {
  const opened = async (request: Parameters<typeof buildGraph>[2]) => {
    const graph = await buildGraph(spec, source(), request)
    return { graph, loaded: await loadGraph(graph) }
  }
  const plain = async (): Promise<Float32Array> => {
    const { graph, loaded } = await opened({ logits: 'causal' })
    const outputs = await loaded.run(
      Object.fromEntries(
        graph.inputs.map((input) => [
          input.name,
          { dims: [1, ids.length], data: input.name === 'attention_mask' ? ids.map(() => 1) : ids },
        ]),
      ),
    )
    return outputs.get('logits')?.data ?? new Float32Array(0)
  }

  test('in one piece, in three, and token by token', async () => {
    const whole = await plain()
    const { graph, loaded } = await opened({ picked: 'logits', past: 'extend' })
    // a dynamic rotary scaling turns by the length so far: what is kept has turned by an earlier one, in the reference
    // too
    const pieces = regimeOf(spec)(ids.length) === 0 ? [[0, 5, 6, 12], Array.from({ length: 13 }, (_, i) => i)] : []
    for (const cuts of [[0, 12], ...pieces]) {
      let past = noPast
      const logits: number[] = []
      for (let i = 1; i < cuts.length; i++) {
        const piece = await pass(loaded, graph, spec, [line(cuts[i - 1] ?? 0, cuts[i] ?? 0)], past)
        past = piece.past
        logits.push(...piece.logits)
      }
      expect(distance(Float32Array.from(logits), whole)).toBeLessThan(close)
    }
  })

  test.skipIf(recurs(spec))('two ends of one beginning in one row, each as if it stood alone', async () => {
    const { graph, loaded } = await opened({ picked: 'logits', past: 'extend' })
    // 0 … 5, then 6 … 8, and beside them 9 … 11 after 5
    const tree = {
      ids,
      parents: Int32Array.from([-1, 0, 1, 2, 3, 4, 5, 6, 7, 5, 9, 10]),
      places: Int32Array.from([0, 1, 2, 3, 4, 5, 6, 7, 8, 6, 7, 8]),
    }
    const both = await pass(loaded, graph, spec, [tree], noPast)
    const alone = {
      ids: Int32Array.from([...ids.slice(0, 6), ...ids.slice(9)]),
      parents: line(0, 9).parents,
      places: line(0, 9).places,
    }
    const single = await pass(loaded, graph, spec, [alone], noPast)
    const width = both.logits.length / 12
    expect(distance(both.logits.slice(9 * width), single.logits.slice(6 * width))).toBeLessThan(close)
  })
})
