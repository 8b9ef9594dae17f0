/** Spec and tensors to an ONNX graph. */
import { fault, type TensorSource } from '../core/index.ts'
import type { ModelSpec } from '../architectures/index.ts'
import type { AttentionContext } from './attention.ts'
import { runBlock } from './block.ts'
import { createBuilder, type Builder, type Value } from './builder.ts'
import { embed } from './embeddings.ts'
import { headNamed, runHead } from './heads.ts'
import { maskBias } from './mask.ts'
import { normalize } from './norm.ts'
import { encodeModel, type ValueMessage } from './onnx.ts'
import { createPooler } from './pooling.ts'
import { bucketBias } from './relative.ts'
import type { Graph, GraphInput, GraphOptions, GraphOutput, GraphRequest, OptionalInput } from './request.ts'
import { rotaryCache } from './rotary.ts'
import { createWeights, type Weights } from './weights.ts'
import { linear, type Wiring } from './wiring.ts'

const opsets = { '': 20, 'com.microsoft': 1 } as const

/**
 * The graph of what is asked, with weights left where they lie.
 * Throws `tensor.missing` and `tensor.shape` where the tensors do not fit the spec, `tensor.dtype` for types that need `readFloat32`,
 * `config.unsupported` for a head the family has not, `usage.value` for a hidden state that does not exist.
 */
export async function buildGraph(spec: ModelSpec, tensors: TensorSource, request: GraphRequest, options: GraphOptions = {}): Promise<Graph> {
  const { builder, weights, inputs, outputs, notes } = wire(spec, tensors, request, options)
  const { externals, inline } = await weights.collect()
  const model = encodeModel({
    name: spec.modelType,
    opsets,
    nodes: builder.nodes,
    initializers: builder.initializers,
    inputs: builder.inputs,
    outputs: outputs.map(message),
  })
  return { model, externals, inline, inputs, outputs, notes }
}

function message({ name, width, per }: GraphOutput): ValueMessage {
  return { name, type: 'float32', dims: per === 'token' ? ['rows', 'cols', width] : ['rows', width] }
}

export interface Wired {
  readonly builder: Builder
  readonly weights: Weights
  readonly inputs: readonly GraphInput[]
  readonly outputs: readonly GraphOutput[]
  readonly notes: readonly string[]
}

/** Everything but reading: all tensors found and of the right shape, or a fault. */
export function wire(spec: ModelSpec, tensors: TensorSource, request: GraphRequest, options: GraphOptions = {}): Wired {
  const { integers = 'int32' } = request
  const builder = createBuilder()
  const weights = createWeights(builder, spec, tensors, options)
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
  const wiring: Wiring = {
    builder,
    spec,
    weights,
    ids,
    mask,
    tokenTypes: optional('token_type_ids', spec.embedding.tokenTypes > 0),
    positions: optional('position_ids', spec.embedding.positions !== undefined || spec.attention.positions.kind === 'rotary'),
    columns: builder.node('Range', [builder.int(0), cols, builder.int(1)]),
  }
  const pooling = request.pool !== undefined && request.pool.length > 0
  const poolMask = optional('pool_mask', pooling) ?? mask
  const outputs = wireOutputs(wiring, runModel(wiring), request, poolMask, tensors.name)
  weights.check()
  if (outputs.length === 0)
    throw fault('usage.value', { place: 'graph', what: 'nothing is asked for', wanted: 'states with tokens or pool, lastState, pooler or logits' })
  return { builder, weights, inputs, outputs, notes }
}

interface States {
  /** Block outputs as they are, 0 … L. */
  readonly raw: readonly Value[]
  /** After final norm and projection. */
  readonly last: Value
  readonly lastWidth: number
}

function runModel(wiring: Wiring): States {
  const { spec } = wiring
  const context = attentionContext(wiring)
  const raw = [embed(wiring)]
  let x = raw[0] ?? ''
  for (const block of spec.blocks) {
    x = runBlock(wiring, context, x, block)
    if (block.state) raw.push(x)
  }
  const normed = spec.final.norm ? finalNorm(wiring, x) : x
  const { project } = spec.final
  const last = project === undefined ? normed : linear(wiring, normed, 'final.project', { in: spec.width, out: project, bias: false })
  return { raw, last, lastWidth: project ?? spec.width }
}

function finalNorm(wiring: Wiring, x: Value): Value {
  return normalize(wiring, x, 'final.norm', wiring.spec.norm, wiring.spec.width)
}

function attentionContext(wiring: Wiring): AttentionContext {
  const { builder, spec } = wiring
  const { positions } = spec.attention
  const relative = positions.kind === 'buckets' ? bucketBias(wiring, positions) : undefined
  return {
    bias: remember((window: number | undefined) => {
      const bias = maskBias(wiring, window)
      return relative === undefined ? bias : builder.add(relative, bias)
    }),
    rotary: remember((table: number) => {
      const rotary = positions.kind === 'rotary' ? positions.tables[table] : undefined
      if (rotary === undefined) throw fault('internal', { place: spec.title, what: 'no such rotary table', seen: table })
      return rotaryCache(wiring, rotary)
    }),
  }
}

function remember<Key, Result>(make: (key: Key) => Result): (key: Key) => Result {
  const known = new Map<Key, Result>()
  return (key) => {
    const result = known.get(key) ?? make(key)
    known.set(key, result)
    return result
  }
}

function wireOutputs(wiring: Wiring, states: States, request: GraphRequest, poolMask: Value, place: string): readonly GraphOutput[] {
  const { builder, spec } = wiring
  const { tokens = false, pool = [], lastState = false, pooler = false, finalNorm: rule = 'native' } = request
  const outputs: GraphOutput[] = []
  const put = (value: Value, output: GraphOutput): void => {
    builder.name(value, output.name)
    outputs.push(output)
  }
  const pooling = createPooler(wiring, poolMask, pool)

  const state = remember((h: number) => hiddenState(wiring, states, h, rule))
  const pooled = remember((value: Value) => pooling.pool(value))
  for (const h of statesAsked(request.states, spec.layers)) {
    const { value, width } = state(h)
    if (tokens) put(value, { name: `hidden_states.${h}`, kind: 'state', h, width, per: 'token' })
    if (pool.length > 0) put(pooled(value), { name: `pooled.${h}`, kind: 'pooled', h, width: width * pool.length, per: 'text' })
  }
  if (lastState) put(states.last, { name: 'last_hidden_state', kind: 'last', width: states.lastWidth, per: 'token' })
  if (pool.length > 0) put(pooled(states.last), { name: 'pooled.last', kind: 'pooled-last', width: states.lastWidth * pool.length, per: 'text' })
  if (pooler) {
    const { value, width } = runHead(wiring, states.last, states.lastWidth, headNamed(spec, 'pooler', place))
    put(value, { name: 'pooler_output', kind: 'pooler', width, per: 'text' })
  }
  const { logits = 'none' } = request
  const head = logits === 'auto' ? spec.head : logits === 'none' ? undefined : logits
  if (head !== undefined) {
    const { value, width, per } = runHead(wiring, states.last, states.lastWidth, headNamed(spec, head, place))
    put(value, { name: 'logits', kind: 'logits', width, per })
  }
  return outputs
}

/** Hidden state h by the rule asked for, and its width. */
function hiddenState(wiring: Wiring, { raw, last, lastWidth }: States, h: number, rule: 'native' | 'always'): { value: Value; width: number } {
  const { final, layers, width } = wiring.spec
  if (h === layers && (final.lastState === 'normed' || rule === 'always')) return { value: last, width: lastWidth }
  const value = raw[h] ?? ''
  return { value: rule === 'always' && final.norm ? finalNorm(wiring, value) : value, width }
}

function statesAsked(states: GraphRequest['states'], layers: number): readonly number[] {
  if (states === 'all') return Array.from({ length: layers + 1 }, (_, h) => h)
  const asked = [...new Set(states)]
  const wrong = asked.find((h) => !Number.isInteger(h) || h < 0 || h > layers)
  if (wrong !== undefined) throw fault('usage.value', { place: 'hidden state', what: 'does not exist', seen: wrong, wanted: `0 … ${layers}` })
  return asked
}
