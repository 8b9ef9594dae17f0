/** A sequence classifier of the BERT kind: norms behind each half of a block, a table of positions, a dense layer before the classes. */
import type { ModelSpec, Slot } from '#model/architectures'
import type { Norm } from '../layer-norm.ts'
import type { Linear, Parameter, ParameterReader } from '../parameters.ts'
import { otherActivation, unsupported } from '../refusals.ts'

/** x = norm1(x + attention(x)); x = norm2(x + outer(gelu(inner(x)))). */
export interface BertBlock {
  readonly query: Linear
  readonly key: Linear
  readonly value: Linear
  readonly out: Linear
  readonly norm1: Norm
  readonly inner: Linear
  readonly outer: Linear
  readonly norm2: Norm
}

export interface BertClassifier {
  readonly kind: 'bert'
  readonly width: number
  readonly heads: number
  readonly epsilon: number
  readonly padId: number
  /** Row of the position table for the first token. */
  readonly firstPosition: number
  readonly maxTokens: number
  readonly tokens: Parameter
  readonly positions: Parameter
  readonly types: Parameter
  readonly norm: Norm
  readonly blocks: readonly BertBlock[]
  /** Onto the first token's last state, with tanh behind it: BERT's pooler, or the dense layer of RoBERTa's head. */
  readonly dense: Linear
  readonly out: Linear
}

export async function readBert(spec: ModelSpec, reader: ParameterReader, dense: Slot): Promise<BertClassifier> {
  const { inner, positions } = checkArithmetic(spec)
  const { width } = spec
  const norm = async (slot: Slot, i = 0): Promise<Norm> => ({
    weight: await reader.vector(slot, width, { i }),
    bias: await reader.vector(slot, width, { i, part: 'bias' }),
  })
  const blocks: BertBlock[] = []
  for (let i = 0; i < spec.layers; i++) {
    blocks.push({
      query: await reader.linear('block.attention.q', width, width, { i }),
      key: await reader.linear('block.attention.k', width, width, { i }),
      value: await reader.linear('block.attention.v', width, width, { i }),
      out: await reader.linear('block.attention.out', width, width, { i }),
      norm1: await norm('block.norm1', i),
      inner: await reader.linear('block.mlp.in', inner, width, { i }),
      outer: await reader.linear('block.mlp.out', width, inner, { i }),
      norm2: await norm('block.norm2', i),
    })
  }
  return {
    kind: 'bert',
    width,
    heads: spec.attention.heads,
    epsilon: spec.norm.epsilon,
    padId: spec.padId ?? -1,
    firstPosition: positions.from === 'ids' ? positions.padId + 1 : 0,
    maxTokens: spec.maxTokens ?? positions.rows,
    tokens: await reader.matrix('embed.token', spec.vocabulary, width),
    positions: await reader.matrix('embed.position', positions.rows, width),
    types: await reader.matrix('embed.type', spec.embedding.tokenTypes, width),
    norm: await norm('embed.norm'),
    blocks,
    dense: await reader.linear(dense, width, width),
    out: await reader.linear('head.sequence.out', spec.labels?.length ?? 2, width),
  }
}

type Positions = Extract<NonNullable<ModelSpec['embedding']['positions']>, { from: 'columns' | 'ids' }>

/** Refuses what the passes do not compute. */
function checkArithmetic({ causal, embedding, mlp }: ModelSpec): { inner: number; positions: Positions } {
  if (mlp.kind !== 'plain' || mlp.activation !== 'gelu') throw otherActivation(mlp.activation, 'gelu')
  if (causal) throw unsupported('is_decoder', 'a decoder')
  const { positions } = embedding
  if (positions === undefined || positions.from === 'mask')
    throw unsupported('position_embedding_type', 'a model without a table of absolute positions')
  return { inner: mlp.width, positions }
}
