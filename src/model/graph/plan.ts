/** A request to a model as a graph that is not written yet. */
import { fault, type TensorSource } from '#core'
import { type ModelSpec, recurs } from '#model/architectures'
import { planBlocks, usualBlock } from './block-plan.ts'
import { createBuilder, type Builder, type Value } from './builder.ts'
import { wireSource } from './cross-attention.ts'
import { integerProducts } from './integer-product.ts'
import { wireOutputs } from './outputs.ts'
import { openPast } from './past.ts'
import { once } from './remember.ts'
import { wirePicked } from './picked.ts'
import type { GraphInput, GraphOutput, GraphRequest, OptionalInput } from './request.ts'
import { openSource } from './source.ts'
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
 * Wires the requested outputs; every tensor exists and has the right shape. Throws `tensor.missing` and `tensor.shape`
 * where the tensors do not fit the spec, `config.unsupported` for a head that the family lacks, `usage.value` for a
 * hidden state that does not exist.
 */
export function planGraph(spec: ModelSpec, tensors: TensorSource, request: GraphRequest): GraphPlan {
  if (request.source === true) return planSource(spec, tensors, request)
  const { integers = 'int32', rotary = 'fused', products = 'float32', blockScores = usualBlock } = request
  const builder = createBuilder()
  const weights = createWeights(builder, spec, tensors)
  const notes: string[] = []
  const inputs: GraphInput[] = []
  const input = (name: GraphInput['name'], dims: GraphInput['dims'] = ['rows', 'cols']): Value => {
    inputs.push({ name, dtype: integers, dims })
    const value = builder.input(name, integers, dims)
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
  const past =
    request.past !== undefined ? openPast(builder, spec, input, { kind: request.past, place: tensors.name }) : undefined
  const mask = past === undefined || recurs(spec) ? input('attention_mask') : ''
  const cols = builder.node('Squeeze', [builder.node('Shape', [ids], { start: 1, end: 2 }), builder.int([0])])
  const columns = builder.node('Range', [builder.int(0), cols, builder.int(1)])
  const source = spec.cross === undefined ? undefined : openSource(builder, spec.cross, input)
  const places = placesOf(spec)
  const wiring: Wiring = {
    builder,
    spec,
    weights,
    ids,
    mask,
    past,
    source,
    tokenTypes: optional('token_type_ids', readsTypes(spec)),
    rotary,
    routed: { state: undefined },
    integerProducts: integerProductsIn(builder, products),
    positions: past !== undefined && places.afterPast ? input('position_ids') : optional('position_ids', places.alone),
    columns,
    queryColumns: columns,
    blocks: past === undefined ? planBlocks(builder, spec, columns, blockScores) : undefined,
  }
  const pooling = request.pool !== undefined && request.pool.length > 0
  const poolMask = optional('pool_mask', pooling) ?? mask
  const states = runModel(wiring)
  const picking = {
    picked: once((): Value => input('picked', ['picks'])),
    targets: once((): Value => input('targets', ['scored', 2])),
  }
  const outputs = [
    ...wireOutputs(wiring, states, request, poolMask, tensors.name),
    ...(request.picked === undefined ? [] : wirePicked(wiring, states, request.picked, picking, tensors.name)),
    ...(request.past === 'read' ? [] : (past?.outputs ?? [])),
  ]
  inputs.push(...(past?.inputs ?? []), ...(source?.inputs ?? []))
  weights.check()
  if (outputs.length === 0) {
    throw fault('usage.value', {
      place: 'graph',
      what: 'no output was requested',
      wanted: 'states with tokens or pool, lastState, pooler or logits',
    })
  }
  return {
    builder,
    used: weights.used,
    quantized: weights.quantized,
    inputs,
    outputs,
    notes: [...notes, ...unusedNotes(weights.unused('own')), ...towerNotes(weights.unused('other-towers'), spec)],
  }
}

/** Whether tokens of different types are read differently. */
function readsTypes({ embedding, attention }: ModelSpec): boolean {
  return embedding.tokenTypes > 0 || attention.positions.kind === 'relative-sinusoids'
}

/** Whether the model asks where tokens stand: of a text alone, and of tokens that follow others. */
function placesOf({ embedding, attention }: ModelSpec): { readonly alone: boolean; readonly afterPast: boolean } {
  const alone = embedding.positions !== undefined || attention.positions.kind === 'rotary'
  return { alone, afterPast: alone || attention.positions.kind === 'buckets' }
}

function integerProductsIn(
  builder: Builder,
  products: NonNullable<GraphRequest['products']>,
): Wiring['integerProducts'] {
  switch (products) {
    case 'float32':
    case 'float16':
    case 'bfloat16':
      return undefined
    case 'int8':
    case 'uint8':
      return integerProducts(builder, products)
    default:
      return products satisfies never
  }
}

/** What a decoder's blocks make of an encoder's states. */
function planSource(spec: ModelSpec, tensors: TensorSource, { products = 'float32' }: GraphRequest): GraphPlan {
  const builder = createBuilder()
  const weights = createWeights(builder, spec, tensors)
  const dims = ['rows', 'source', spec.cross?.width ?? 0]
  const states = builder.input('source_states', 'float32', dims)
  const wiring = {
    builder,
    weights,
    ids: states,
    integerProducts: integerProductsIn(builder, products),
  }
  const outputs = wireSource(wiring, spec, states, tensors.name)
  weights.check()
  return {
    builder,
    used: weights.used,
    quantized: weights.quantized,
    inputs: [{ name: 'source_states', dtype: 'float32', dims }],
    outputs,
    notes: [],
  }
}

/** One line for all tensors the family has no place for. */
function unusedNotes(unused: readonly string[]): readonly string[] {
  if (unused.length === 0) return []
  const shown = unused.slice(0, 8).join(', ')
  return [
    `${unused.length === 1 ? '1 tensor is' : `${unused.length} tensors are`} not used: ${shown}${unused.length > 8 ? ', …' : ''}`,
  ]
}

/** One line for the other parts of a model that reads more than text. */
function towerNotes(names: readonly string[], spec: ModelSpec): readonly string[] {
  if (names.length === 0) return []
  const towers = new Set(names.map((name) => /^(?:model\.)?[^.]+/.exec(name)?.[0] ?? name))
  return [`text alone is read, by ${spec.title}: not used are ${names.length} tensors of ${[...towers].join(', ')}`]
}
