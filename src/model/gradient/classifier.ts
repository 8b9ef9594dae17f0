/** A sequence classifier of the BERT kind as float64 parameters, found under the names its checkpoint gives them. */
import { fault, type TensorSource } from '#core'
import { type ModelSpec, type Slot, slotSpellings, specOf } from '#model/architectures'
import { missingTensor, widen64 } from '#files/formats'

/** A tensor of the checkpoint: its name there, and its values row by row. */
export interface Parameter {
  readonly name: string
  readonly rows: number
  readonly width: number
  /** [rows × width]; a vector has one row. */
  readonly data: Float64Array
}

/** x · weightᵀ + bias, with weight [outputs × inputs]. */
export interface Linear {
  readonly weight: Parameter
  readonly bias: Parameter
}

export interface Norm {
  readonly weight: Parameter
  readonly bias: Parameter
}

/** x = norm1(x + attention(x)); x = norm2(x + outer(gelu(inner(x)))). */
export interface Block {
  readonly query: Linear
  readonly key: Linear
  readonly value: Linear
  readonly out: Linear
  readonly norm1: Norm
  readonly inner: Linear
  readonly outer: Linear
  readonly norm2: Norm
}

export interface Classifier {
  readonly width: number
  readonly heads: number
  readonly labels: number
  readonly epsilon: number
  readonly padId: number
  /** Row of the position table for the first token. */
  readonly firstPosition: number
  readonly maxTokens: number
  readonly tokens: Parameter
  readonly positions: Parameter
  readonly types: Parameter
  readonly norm: Norm
  readonly blocks: readonly Block[]
  /** Onto the first token's last state, with tanh behind it: BERT's pooler, or the dense layer of RoBERTa's head. */
  readonly dense: Linear
  readonly out: Linear
}

/** Slot of the dense layer before the classes, by class of model. */
const denseSlots: Readonly<Record<string, Slot>> = {
  BertForSequenceClassification: 'pooler',
  RobertaForSequenceClassification: 'head.sequence.dense',
  XLMRobertaForSequenceClassification: 'head.sequence.dense',
}

/**
 * Reads a classifier from its config and tensors. Throws `config.family` for another class of model, `config.value` for
 * an activation other than the exact GELU, `config.unsupported` for decoders, relative positions and problems that are
 * not one class per text, `tensor.missing`, `tensor.shape`.
 */
export async function readClassifier(config: unknown, tensors: TensorSource): Promise<Classifier> {
  const spec = specOf(config)
  const denseSlot = denseSlots[spec.className ?? '']
  if (denseSlot === undefined)
    throw fault('config.family', {
      place: 'config.json › architectures',
      what: 'has no gradients here',
      seen: spec.className ?? 'none',
      wanted: Object.keys(denseSlots).join(', '),
    })
  const { inner, positions } = checkArithmetic(spec, config)
  const { width } = spec
  const { spellings } = slotSpellings(spec.tensors, tensors.names())
  const read = async (
    slot: Slot,
    size: { rows?: number; width: number; i?: number; part?: 'weight' | 'bias' },
  ): Promise<Parameter> => {
    const { part = 'weight', i = 0, rows } = size
    const names = spellings(slot, { i }, part)
    const name = names.find((one) => tensors.info(one) !== undefined)
    if (name === undefined) throw missingTensor(tensors.name, names[0] ?? slot)
    return readParameter(tensors, name, rows === undefined ? [size.width] : [rows, size.width])
  }
  const linear = async (slot: Slot, rows: number, columns: number, i = 0): Promise<Linear> => ({
    weight: await read(slot, { rows, width: columns, i }),
    bias: await read(slot, { width: rows, i, part: 'bias' }),
  })
  const norm = async (slot: Slot, i = 0): Promise<Norm> => ({
    weight: await read(slot, { width, i }),
    bias: await read(slot, { width, i, part: 'bias' }),
  })
  const blocks: Block[] = []
  for (let i = 0; i < spec.layers; i++) {
    blocks.push({
      query: await linear('block.attention.q', width, width, i),
      key: await linear('block.attention.k', width, width, i),
      value: await linear('block.attention.v', width, width, i),
      out: await linear('block.attention.out', width, width, i),
      norm1: await norm('block.norm1', i),
      inner: await linear('block.mlp.in', inner, width, i),
      outer: await linear('block.mlp.out', width, inner, i),
      norm2: await norm('block.norm2', i),
    })
  }
  const labels = spec.labels?.length ?? 2
  return {
    width,
    heads: spec.attention.heads,
    labels,
    epsilon: spec.norm.epsilon,
    padId: spec.padId ?? -1,
    firstPosition: positions.from === 'ids' ? positions.padId + 1 : 0,
    maxTokens: spec.maxTokens ?? positions.rows,
    tokens: await read('embed.token', { rows: spec.vocabulary, width }),
    positions: await read('embed.position', { rows: positions.rows, width }),
    types: await read('embed.type', { rows: spec.embedding.tokenTypes, width }),
    norm: await norm('embed.norm'),
    blocks,
    dense: await linear(denseSlot, width, width),
    out: await linear('head.sequence.out', labels, width),
  }
}

type Positions = Extract<NonNullable<ModelSpec['embedding']['positions']>, { from: 'columns' | 'ids' }>

/** Refuses what the passes of this room do not compute. */
function checkArithmetic(spec: ModelSpec, config: unknown): { inner: number; positions: Positions } {
  const unsupported = (key: string, what: string): Error =>
    fault('config.unsupported', { place: `config.json › ${key}`, what: `${what} has no gradients here` })
  const { mlp } = spec
  const { positions } = spec.embedding
  if (mlp.kind !== 'plain' || mlp.activation !== 'gelu')
    throw fault('config.value', {
      place: 'config.json › hidden_act',
      what: 'this activation has no gradient here',
      seen: mlp.activation,
      wanted: 'gelu',
    })
  if (spec.causal) throw unsupported('is_decoder', 'a decoder')
  if (positions === undefined || positions.from === 'mask')
    throw unsupported('position_embedding_type', 'a model without a table of absolute positions')
  const problem = (config as Readonly<Record<string, unknown>>)['problem_type']
  if (problem !== undefined && problem !== null && problem !== 'single_label_classification')
    throw unsupported('problem_type', 'a problem other than one class per text')
  return { inner: mlp.width, positions }
}

async function readParameter(tensors: TensorSource, name: string, shape: readonly number[]): Promise<Parameter> {
  const info = tensors.info(name)
  if (info === undefined) throw missingTensor(tensors.name, name)
  if (info.shape.length !== shape.length || info.shape.some((size, k) => size !== shape[k]))
    throw fault('tensor.shape', {
      place: `${tensors.name}: ${name}`,
      what: 'does not fit config.json',
      seen: info.shape,
      wanted: shape,
    })
  const [rows, width] = shape.length === 1 ? [1, shape[0] ?? 0] : [shape[0] ?? 0, shape[1] ?? 0]
  return { name, rows, width, data: widen64(await tensors.read(name), info.dtype) }
}
