/**
 * A representation as one ONNX graph: token ids in, `token_embeddings` and `sentence_embedding` out, under the names
 * that optimum gives them.
 */
import type { TensorSource } from '#core'
import type { ModelSpec } from '#model/architectures'
import { layersOf, type MixedBlock } from '#representation/layers'
import { laterWidth } from '#model/checkpoint'
import { type Builder, type GraphRequest, opsets, planGraph, type Value } from '#model/graph'
import type { ModelMessage, ValueMessage } from '#platform/onnx'
import { columnsOf, offsetOf } from './affine.ts'
import { constant, wireLayerNorm, wireSteps } from './onnx-steps.ts'
import type { Mixed, Reading } from './reading.ts'

export interface ExportedGraph {
  /** Tensors of the model lie under their own names, wherever they are. */
  readonly message: ModelMessage
  readonly inputs: readonly string[]
  readonly outputs: readonly string[]
  /** Blocks that are run. */
  readonly blocks: number
  /** Numbers of a vector. */
  readonly width: number
}

/** A value per token, where there is one, and a value per text. */
interface Seen {
  readonly tokens: Value | undefined
  readonly tokenWidth: number
  readonly pooled: Value
  readonly width: number
}

const sizes: Readonly<Record<string, string>> = { rows: 'batch_size', cols: 'sequence_length' }

/**
 * `tensors`: in types that every engine reads. Throws what planning a graph throws, `usage.conflict` for a module
 * without operators.
 */
export async function exportGraph(reading: Reading, spec: ModelSpec, tensors: TensorSource): Promise<ExportedGraph> {
  const { builder, inputs, outputs } = planGraph(spec, tensors, requestFor(reading, spec))
  const widthOf = (name: string): number => outputs.find((output) => output.name === name)?.width ?? 0
  const { seen, later } = reading
  const read = await readSeen(builder, reading, widthOf)
  const width = laterWidth(later, read.width)
  const message: ValueMessage[] = []
  if (read.tokens !== undefined) {
    const dims = ['batch_size', 'sequence_length', read.tokenWidth]
    message.push({ name: builder.name(read.tokens, 'token_embeddings'), type: 'float32', dims })
  }
  message.push({
    name: builder.name(wireSteps(builder, read.pooled, later), 'sentence_embedding'),
    type: 'float32',
    dims: ['batch_size', width],
  })
  return {
    message: {
      producer: 'strata',
      name: spec.modelType,
      opsets,
      nodes: builder.nodes,
      initializers: builder.initializers,
      inputs: builder.inputs.map((input) => ({ ...input, dims: input.dims.map((size) => sizes[size] ?? size) })),
      outputs: message,
    },
    inputs: inputs.map(({ name }) => name),
    outputs: message.map(({ name }) => name),
    blocks: blocksIn(seen, spec),
    width,
  }
}

/** Where the values are that the later steps begin with. */
async function readSeen(
  builder: Builder,
  { seen, pooling }: Reading,
  widthOf: (name: string) => number,
): Promise<Seen> {
  const at = (tokens: string, pooled: string): Seen => ({
    tokens,
    tokenWidth: widthOf(tokens),
    pooled,
    width: widthOf(pooled),
  })
  const state = (h: number): Seen => at(`hidden_states.${h}`, `pooled.${h}`)
  if (seen.kind === 'last') return at('last_hidden_state', 'pooled.last')
  return seen.kind === 'state' ? state(seen.h) : wireMix(builder, seen, state, pooling.length)
}

function blocksIn(seen: Reading['seen'], { layers }: ModelSpec): number {
  if (seen.kind === 'last') return layers
  return seen.kind === 'state' ? seen.h : Math.max(...layersOf(seen.mix))
}

/** Token types where there is more than one: exporters of other libraries ask for them in those families alone. */
function requestFor({ seen, finalNorm, pooling }: Reading, spec: ModelSpec): GraphRequest {
  const shared: GraphRequest = {
    pool: pooling,
    finalNorm,
    integers: 'int64',
    inputs: spec.embedding.tokenTypes > 1 ? ['token_type_ids'] : [],
  }
  if (seen.kind === 'last') return { ...shared, lastState: true }
  const states = seen.kind === 'state' ? [seen.h] : layersOf(seen.mix)
  return { ...shared, states, tokens: true, pooledLast: false }
}

async function wireMix(
  builder: Builder,
  { mix, layerNorm }: Mixed,
  state: (h: number) => Seen,
  poolings: number,
): Promise<Seen> {
  const vector = (h: number): Value => wireLayerNorm(builder, state(h).pooled, layerNorm)
  // A vector's own norm has no meaning for a token.
  const ofTokens = layerNorm === 'none'
  switch (mix.kind) {
    case 'sum': {
      const layers = layersOf(mix)
      const { tokenWidth, width } = state(layers[0] ?? 0)
      const sum = (valueOf: (h: number) => Value): Value =>
        added(
          builder,
          layers.map((h) => scaled(builder, valueOf(h), mix.weights[h] ?? 0)),
        )
      return {
        tokens: ofTokens ? sum((h) => state(h).tokens ?? '') : undefined,
        tokenWidth,
        pooled: sum(vector),
        width,
      }
    }
    case 'projection': {
      const basis = await mix.basis()
      const offset = constant(builder, 'projection.offset', [mix.width], offsetOf(basis))
      let from = 0
      const parts = mix.blocks.map((block, index) => {
        const { width } = state(block.layers[0] ?? 0)
        const matrix = constant(
          builder,
          `projection.${index}`,
          [mix.width, width],
          columnsOf(basis, { from, width, factor: 1 }),
        )
        from += width
        return { block, matrix }
      })
      const project = (valueOf: (h: number) => Value): Value =>
        builder.add(
          added(
            builder,
            parts.map(({ block, matrix }) =>
              builder.fused('FusedMatMul', [meanOf(builder, block, valueOf), matrix], { transB: 1 }),
            ),
          ),
          offset,
        )
      // Poolings side by side have a basis that one token's state does not fit.
      const tokens = ofTokens && poolings === 1 ? project((h) => state(h).tokens ?? '') : undefined
      return { tokens, tokenWidth: mix.width, pooled: project(vector), width: mix.width }
    }
    default:
      return mix satisfies never
  }
}

function meanOf(builder: Builder, { layers, factor }: MixedBlock, valueOf: (h: number) => Value): Value {
  return scaled(builder, added(builder, layers.map(valueOf)), factor / layers.length)
}

function scaled(builder: Builder, value: Value, by: number): Value {
  return by === 1 ? value : builder.multiply(value, builder.float(by))
}

function added(builder: Builder, values: readonly Value[]): Value {
  return values.reduce((sum, value) => builder.add(sum, value))
}
