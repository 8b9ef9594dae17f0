/** A sequence classifier of the LLaMA kind: norms before each half of a block, rotary positions, no dense layer before the classes. */
import { fault } from '#core'
import { fixedFrequencies, type ModelSpec, type Rotary } from '#model/architectures'
import type { Linear, Parameter, ParameterReader } from '../parameters.ts'
import { otherActivation, unsupported } from '../refusals.ts'

/** x = x + attention(norm1(x)); y = norm2(x); x = x + down(silu(gate(y)) ∘ up(y)). */
export interface LlamaBlock {
  readonly norm1: Parameter
  readonly query: Linear
  readonly key: Linear
  readonly value: Linear
  readonly out: Linear
  readonly norm2: Parameter
  readonly gate: Linear
  readonly up: Linear
  readonly down: Linear
}

export interface LlamaClassifier {
  readonly kind: 'llama'
  readonly width: number
  readonly heads: number
  /** Each serves heads / keyHeads heads in a row. */
  readonly keyHeads: number
  readonly epsilon: number
  readonly padId: number
  /** Position of the first token. */
  readonly firstPosition: 0
  readonly maxTokens: number
  /** Angle by which a pair of columns turns from one token to the next: [columns of a head / 2]. */
  readonly frequencies: Float32Array
  /** Factor on the turned columns. */
  readonly magnitude: number
  readonly tokens: Parameter
  readonly blocks: readonly LlamaBlock[]
  readonly norm: Parameter
  readonly out: Linear
}

export async function readLlama(spec: ModelSpec, reader: ParameterReader): Promise<LlamaClassifier> {
  const { inner, bias, rotary } = checkArithmetic(spec)
  const { width } = spec
  const { heads, keyHeads, headWidth } = spec.attention
  const [queries, keys] = [heads * headWidth, keyHeads * headWidth]
  const blocks: LlamaBlock[] = []
  for (let i = 0; i < spec.layers; i++) {
    const [attention, projection, mlp] = [spec.attention.bias.qkv, spec.attention.bias.out, bias].map((one) => ({
      i,
      bias: one,
    }))
    blocks.push({
      norm1: await reader.vector('block.norm1', width, { i }),
      query: await reader.linear('block.attention.q', queries, width, attention),
      key: await reader.linear('block.attention.k', keys, width, attention),
      value: await reader.linear('block.attention.v', keys, width, attention),
      out: await reader.linear('block.attention.out', width, queries, projection),
      norm2: await reader.vector('block.norm2', width, { i }),
      gate: await reader.linear('block.mlp.gate', inner, width, mlp),
      up: await reader.linear('block.mlp.up', inner, width, mlp),
      down: await reader.linear('block.mlp.out', width, inner, mlp),
    })
  }
  return {
    kind: 'llama',
    width,
    heads,
    keyHeads,
    epsilon: spec.norm.epsilon,
    padId: spec.padId ?? -1,
    firstPosition: 0,
    maxTokens: spec.maxTokens ?? Infinity,
    frequencies: fixedFrequencies(rotary),
    magnitude: rotary.magnitude,
    tokens: await reader.matrix('embed.token', spec.vocabulary, width),
    blocks,
    norm: await reader.vector('final.norm', width),
    out: await reader.linear('head.sequence.out', spec.labels?.length ?? 2, width, { bias: false }),
  }
}

/** Refuses what the passes do not compute. */
function checkArithmetic({ modelType, causal, mlp, attention }: ModelSpec): {
  inner: number
  bias: boolean
  rotary: Rotary
} {
  const { positions, headWidth } = attention
  const rotary = positions.kind === 'rotary' ? positions.tables[0] : undefined
  // another family behind the class's name may have windows, other norms, other scales
  if (modelType !== 'llama' || rotary === undefined)
    throw fault('config.family', {
      place: 'config.json › model_type',
      what: 'is not that of LlamaForSequenceClassification',
      seen: modelType,
      wanted: 'llama',
    })
  if (mlp.kind !== 'gated' || mlp.activation !== 'silu') throw otherActivation(mlp.activation, 'silu')
  if (!causal) throw unsupported('is_causal', 'a model whose tokens see those after them')
  if (typeof mlp.bias !== 'boolean') throw unsupported('mlp_bias', 'biases of some matrices alone')
  const { kind } = rotary.scaling
  if (kind === 'dynamic' || kind === 'longrope')
    throw unsupported('rope_scaling', `scaling by the length of a batch (${kind})`)
  if (rotary.width !== headWidth) throw unsupported('partial_rotary_factor', 'a head that turns in part')
  return { inner: mlp.width, bias: mlp.bias, rotary }
}
