/** What is asked of a model as a graph that is not written yet. */
import { fault, type TensorSource } from '#core'
import type { ModelSpec } from '#model/architectures'
import { planBlocks, usualBlock } from './block-plan.ts'
import { createBuilder, type Builder, type Value } from './builder.ts'
import { integerProducts } from './integer-product.ts'
import { wireOutputs } from './outputs.ts'
import type { GraphInput, GraphOutput, GraphRequest, OptionalInput } from './request.ts'
import { runModel } from './states.ts'
import { createWeights, type Weights } from './weights.ts'
import type { Wiring } from './wiring.ts'

/** A graph before it is written: nodes and constants, and the tensors it uses, none of them located or read. */
export interface GraphPlan {
  readonly builder: Builder
  readonly used: Weights['used']
  readonly quantized: Weights['quantized']
  readonly inputs: readonly GraphInput[]
  readonly outputs: readonly GraphOutput[]
  readonly notes: readonly string[]
}

/**
 * Wires what is asked; all tensors are there and of the right shape.
 * Throws `tensor.missing` and `tensor.shape` where the tensors do not fit the spec, `config.unsupported` for a head the family has not,
 * `usage.value` for a hidden state that does not exist.
 */
export function planGraph(spec: ModelSpec, tensors: TensorSource, request: GraphRequest): GraphPlan {
  const { integers = 'int32', rotary = 'fused', products = 'float32', blockScores = usualBlock } = request
  const builder = createBuilder()
  const weights = createWeights(builder, spec, tensors)
  const notes: string[] = []
  const inputs: GraphInput[] = []
  const input = (name: GraphInput['name']): Value => {
    inputs.push({ name, dtype: integers, dims: ['rows', 'cols'] })
    const value = builder.input(name, integers, ['rows', 'cols'])
    return integers === 'int64' ? value : builder.cast(value, 'int64')
  }
  const wanted = new Set(request.inputs)
  const optional = (name: OptionalInput, used: boolean): Value | undefined => {
    if (!wanted.has(name)) return undefined
    if (used) return input(name)
    notes.push(`${name} is not used: ${spec.title} has no use for it`)
    return undefined
  }

  const ids = input('input_ids')
  const mask = input('attention_mask')
  const cols = builder.node('Squeeze', [builder.node('Shape', [ids], { start: 1, end: 2 }), builder.int([0])])
  const columns = builder.node('Range', [builder.int(0), cols, builder.int(1)])
  const wiring: Wiring = {
    builder,
    spec,
    weights,
    ids,
    mask,
    tokenTypes: optional('token_type_ids', spec.embedding.tokenTypes > 0),
    rotary,
    integerProducts: products === 'float32' ? undefined : integerProducts(builder, products),
    positions: optional('position_ids', spec.embedding.positions !== undefined || spec.attention.positions.kind === 'rotary'),
    columns,
    queryColumns: columns,
    blocks: planBlocks(builder, spec, columns, blockScores),
  }
  const pooling = request.pool !== undefined && request.pool.length > 0
  const poolMask = optional('pool_mask', pooling) ?? mask
  const outputs = wireOutputs(wiring, runModel(wiring), request, poolMask, tensors.name)
  weights.check()
  if (outputs.length === 0) {
    throw fault('usage.value', { place: 'graph', what: 'nothing is asked for', wanted: 'states with tokens or pool, lastState, pooler or logits' })
  }
  return { builder, used: weights.used, quantized: weights.quantized, inputs, outputs, notes: [...notes, ...unusedNotes(weights.unused())] }
}

/** One line for all tensors the family has no place for. */
function unusedNotes(unused: readonly string[]): readonly string[] {
  if (unused.length === 0) return []
  const shown = unused.slice(0, 8).join(', ')
  return [`${unused.length === 1 ? '1 tensor is' : `${unused.length} tensors are`} not used: ${shown}${unused.length > 8 ? ', …' : ''}`]
}
