/** Runs a piece of a graph by itself: what goes in are constants, what comes out is one value. */
import type { ModelSpec } from '#model/architectures'
import { createBuilder, type Value } from '../../../src/model/graph/builder.ts'
import { encodeModel } from '#platform/onnx'
import { placeTensors } from '../../../src/model/graph/place-tensors.ts'
import { createWeights } from '../../../src/model/graph/weights.ts'
import type { Wiring } from '../../../src/model/graph/wiring.ts'
import { loadGraph, type Floats } from './run-graph.ts'
import { memorySource, type Values } from './safetensors-source.ts'

/** `make` wires the piece, a value of `rank` axes; `mask` has one row a text. */
export async function runFragment(
  spec: ModelSpec,
  tensors: Readonly<Record<string, Values>>,
  { mask, rank }: { mask: readonly (readonly number[])[]; rank: number },
  make: (wiring: Wiring) => Value,
): Promise<Floats> {
  const builder = createBuilder()
  const source = memorySource(tensors)
  const weights = createWeights(builder, spec, source)
  const names = ['input_ids', 'attention_mask'] as const
  const [ids = '', masked = ''] = names.map((name) => builder.input(name, 'int64', ['rows', 'cols']))
  const cols = builder.node('Squeeze', [builder.node('Shape', [ids], { start: 1, end: 2 }), builder.int([0])])
  const columns = builder.node('Range', [builder.int(0), cols, builder.int(1)])
  const result = make({
    builder,
    spec,
    weights,
    ids,
    mask: masked,
    past: undefined,
    source: undefined,
    positions: undefined,
    rotary: 'fused',
    routed: { state: undefined },
    integerProducts: undefined,
    blocks: undefined,
    queryColumns: columns,
    tokenTypes: undefined,
    columns,
  })
  weights.check()
  builder.name(result, 'result')
  const { initializers, inline, externals } = await placeTensors(
    { initializers: builder.initializers, quantized: weights.quantized },
    source,
    {
      readFloat32: async (name) => tensors[name]?.data ?? new Float32Array(),
    },
  )
  const model = encodeModel({
    name: 'fragment',
    opsets: { '': 20, 'com.microsoft': 1 },
    nodes: builder.nodes,
    initializers,
    inputs: builder.inputs,
    outputs: [{ name: 'result', type: 'float32', dims: Array.from({ length: rank }, (_, axis) => `axis${axis}`) }],
  })
  const inputs = names.map((name) => ({ name, dtype: 'int64', dims: ['rows', 'cols'] }) as const)
  const session = await loadGraph({ model, externals, inline, inputs, outputs: [], notes: [] })
  const fed = { dims: [mask.length, mask[0]?.length ?? 0], data: mask.flat() }
  const results = await session.run({ input_ids: fed, attention_mask: fed })
  await session.close()
  return results.get('result') ?? { dims: [], data: new Float32Array() }
}

/** Numbers of these dims, near `centre`. */
export function values(draw: () => number, shape: readonly number[], centre = 0): Values {
  return { shape, data: Float32Array.from({ length: shape.reduce((a, b) => a * b, 1) }, () => centre + 0.5 * draw()) }
}

/** Reads an element by its indexes. */
export function at({ shape, data }: Values, ...index: readonly number[]): number {
  return data[index.reduce((offset, i, axis) => offset * (shape[axis] ?? 1) + i, 0)] ?? Number.NaN
}

/** Greatest difference between a result and what a function of its indexes says, where `counts` says so. */
export function greatest(
  result: Floats,
  wanted: (...index: number[]) => number,
  counts: (...index: number[]) => boolean = () => true,
): number {
  let worst = result.data.length === 0 ? Infinity : 0
  result.data.forEach((value, offset) => {
    let rest = offset
    const index = result.dims.toReversed().map((size) => {
      const i = rest % size
      rest = Math.floor(rest / size)
      return i
    })
    index.reverse()
    if (!counts(...index)) return
    const difference = Math.abs(value - wanted(...index))
    worst = Number.isNaN(difference) ? Infinity : Math.max(worst, difference)
  })
  return worst
}

export function sum(count: number, term: (i: number) => number): number {
  let total = 0
  for (let i = 0; i < count; i++) total += term(i)
  return total
}
