/**
 * BERT and LLaMA once more, as plain loops in float64 over one unpadded text: what the graph must give at real tokens.
 */
import { bertConfig, llamaConfig } from '../architectures/small-configs.ts'
import type { Values } from './safetensors-source.ts'

export type Tensors = Readonly<Record<string, Values>>
/** One row a token. */
export type States = readonly (readonly number[])[]

/** Numbers in (-1, 1) from a seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 31 - 1
  }
}

function fill(shapes: Readonly<Record<string, readonly number[]>>, seed: number): Tensors {
  const draw = seeded(seed)
  return Object.fromEntries(
    Object.entries(shapes).map(([name, shape]) => {
      // Norm weights near 1, everything else lively.
      const centre = /norm\.weight$/i.test(name) ? 1 : 0
      return [
        name,
        { shape, data: Float32Array.from({ length: shape.reduce((a, b) => a * b, 1) }, () => centre + 0.5 * draw()) },
      ]
    }),
  )
}

const {
  hidden_size: W,
  intermediate_size: F,
  vocab_size: V,
  max_position_embeddings: P,
  num_hidden_layers: L,
  num_attention_heads: N,
} = bertConfig

export const bertTensors: Tensors = fill(
  {
    'embeddings.word_embeddings.weight': [V, W],
    'embeddings.position_embeddings.weight': [P, W],
    'embeddings.token_type_embeddings.weight': [2, W],
    ...norm('embeddings.LayerNorm', W),
    ...Object.assign({}, ...Array.from({ length: L }, (_, i) => bertLayer(`encoder.layer.${i}`))),
    ...dense('pooler.dense', W, W),
  },
  11,
)

function bertLayer(name: string): Record<string, readonly number[]> {
  return {
    ...dense(`${name}.attention.self.query`, W, W),
    ...dense(`${name}.attention.self.key`, W, W),
    ...dense(`${name}.attention.self.value`, W, W),
    ...dense(`${name}.attention.output.dense`, W, W),
    ...norm(`${name}.attention.output.LayerNorm`, W),
    ...dense(`${name}.intermediate.dense`, F, W),
    ...dense(`${name}.output.dense`, W, F),
    ...norm(`${name}.output.LayerNorm`, W),
  }
}

function dense(name: string, out: number, inside: number): Record<string, readonly number[]> {
  return { [`${name}.weight`]: [out, inside], [`${name}.bias`]: [out] }
}

function norm(name: string, width: number): Record<string, readonly number[]> {
  return { [`${name}.weight`]: [width], [`${name}.bias`]: [width] }
}

const ll = {
  W: llamaConfig.hidden_size,
  F: llamaConfig.intermediate_size,
  V: llamaConfig.vocab_size,
  N: llamaConfig.num_attention_heads,
  K: llamaConfig.num_key_value_heads,
  D: 4,
}

export const llamaTensors: Tensors = fill(
  {
    'model.embed_tokens.weight': [ll.V, ll.W],
    ...Object.assign(
      {},
      ...Array.from({ length: llamaConfig.num_hidden_layers }, (_, i) => ({
        [`model.layers.${i}.input_layernorm.weight`]: [ll.W],
        [`model.layers.${i}.self_attn.q_proj.weight`]: [ll.N * ll.D, ll.W],
        [`model.layers.${i}.self_attn.k_proj.weight`]: [ll.K * ll.D, ll.W],
        [`model.layers.${i}.self_attn.v_proj.weight`]: [ll.K * ll.D, ll.W],
        [`model.layers.${i}.self_attn.o_proj.weight`]: [ll.W, ll.N * ll.D],
        [`model.layers.${i}.post_attention_layernorm.weight`]: [ll.W],
        [`model.layers.${i}.mlp.gate_proj.weight`]: [ll.F, ll.W],
        [`model.layers.${i}.mlp.up_proj.weight`]: [ll.F, ll.W],
        [`model.layers.${i}.mlp.down_proj.weight`]: [ll.W, ll.F],
      })),
    ),
    'model.norm.weight': [ll.W],
    'lm_head.weight': [ll.V, ll.W],
  },
  12,
)

export interface PlainOutputs {
  /** Block outputs 0 … L before any final norm. */
  readonly states: readonly States[]
  readonly last: States
  readonly head: States
}

/** `head` is the pooler's one row. */
export function plainBert(ids: readonly number[]): PlainOutputs {
  const get = reader(bertTensors)
  const row = (name: string, index: number): number[] => get(name).row(index)
  const layerNorm = (x: States, name: string): States =>
    x.map((token) =>
      centred(token, 1e-12).map((value, i) => value * get(`${name}.weight`).at(i) + get(`${name}.bias`).at(i)),
    )
  const linear = (x: States, name: string): States => apply(x, get(`${name}.weight`), get(`${name}.bias`))
  let x: States = layerNorm(
    ids.map((id, s) =>
      sum(
        row('embeddings.word_embeddings.weight', id),
        row('embeddings.position_embeddings.weight', s),
        row('embeddings.token_type_embeddings.weight', 0),
      ),
    ),
    'embeddings.LayerNorm',
  )
  const states = [x]
  for (let i = 0; i < L; i++) {
    const name = `encoder.layer.${i}`
    const [q, k, v] = ['query', 'key', 'value'].map((part) => linear(x, `${name}.attention.self.${part}`))
    const mixed = linear(
      attention(q ?? [], k ?? [], v ?? [], { heads: N, keyHeads: N, causal: false }),
      `${name}.attention.output.dense`,
    )
    x = layerNorm(addAll(x, mixed), `${name}.attention.output.LayerNorm`)
    const inner = linear(x, `${name}.intermediate.dense`).map((token) =>
      token.map((value) => 0.5 * value * (1 + erf(value / Math.SQRT2))),
    )
    x = layerNorm(addAll(x, linear(inner, `${name}.output.dense`)), `${name}.output.LayerNorm`)
    states.push(x)
  }
  const pooled = linear(x.slice(0, 1), 'pooler.dense').map((token) => token.map(Math.tanh))
  return { states, last: x, head: pooled }
}

/** `head` are the logits. */
export function plainLlama(ids: readonly number[]): PlainOutputs {
  const get = reader(llamaTensors)
  const linear = (x: States, name: string): States => apply(x, get(`${name}.weight`))
  const rms = (x: States, name: string): States =>
    x.map((token) => {
      const root = Math.sqrt(
        token.reduce((total, value) => total + value * value, 0) / token.length + llamaConfig.rms_norm_eps,
      )
      return token.map((value, i) => (value / root) * get(`${name}.weight`).at(i))
    })
  let x: States = ids.map((id) => get('model.embed_tokens.weight').row(id))
  const states = [x]
  for (let i = 0; i < llamaConfig.num_hidden_layers; i++) {
    const name = `model.layers.${i}`
    const normed = rms(x, `${name}.input_layernorm`)
    const [q, k, v] = ['q', 'k', 'v'].map((part) => linear(normed, `${name}.self_attn.${part}_proj`))
    const mixed = attention(turn(q ?? []), turn(k ?? []), v ?? [], { heads: ll.N, keyHeads: ll.K, causal: true })
    x = addAll(x, linear(mixed, `${name}.self_attn.o_proj`))
    const again = rms(x, `${name}.post_attention_layernorm`)
    const up = linear(again, `${name}.mlp.up_proj`)
    const gated = linear(again, `${name}.mlp.gate_proj`).map((token, s) =>
      token.map((value, f) => (value / (1 + Math.exp(-value))) * (up[s]?.[f] ?? 0)),
    )
    x = addAll(x, linear(gated, `${name}.mlp.down_proj`))
    states.push(x)
  }
  const last = rms(x, 'model.norm')
  return { states, last, head: linear(last, 'lm_head') }
}

/** The final norm of the small LLaMA, for states that do not have it. */
export function llamaFinalNorm(x: States): States {
  const weight = reader(llamaTensors)('model.norm.weight')
  return x.map((token) => {
    const root = Math.sqrt(
      token.reduce((total, value) => total + value * value, 0) / token.length + llamaConfig.rms_norm_eps,
    )
    return token.map((value, i) => (value / root) * weight.at(i))
  })
}

/** Rotary positions on every head: columns i and i + D/2 are turned by position · base^(-2i/D). */
function turn(x: States): States {
  return x.map((token, position) =>
    token.map((value, column) => {
      const inHead = column % ll.D
      const pair = inHead % (ll.D / 2)
      const angle = position * llamaConfig.rope_theta ** ((-2 * pair) / ll.D)
      const other = inHead < ll.D / 2 ? -(token[column + ll.D / 2] ?? 0) : (token[column - ll.D / 2] ?? 0)
      return value * Math.cos(angle) + other * Math.sin(angle)
    }),
  )
}

function attention(
  q: States,
  k: States,
  v: States,
  { heads, keyHeads, causal }: { heads: number; keyHeads: number; causal: boolean },
): States {
  const width = (q[0]?.length ?? 0) / heads
  return q.map((query, i) =>
    Array.from({ length: heads }, (_, head) => {
      const shared = Math.floor(head / (heads / keyHeads))
      const part = (row: readonly number[] | undefined, index: number): readonly number[] =>
        (row ?? []).slice(index * width, (index + 1) * width)
      const scores = k.map((key, j) =>
        causal && j > i ? -Infinity : dot(part(query, head), part(key, shared)) / Math.sqrt(width),
      )
      const largest = Math.max(...scores)
      const weights = scores.map((score) => Math.exp(score - largest))
      const total = weights.reduce((a, b) => a + b, 0)
      return Array.from({ length: width }, (_unused, d) =>
        v.reduce((mix, value, j) => mix + ((weights[j] ?? 0) / total) * (part(value, shared)[d] ?? 0), 0),
      )
    }).flat(),
  )
}

interface Tensor {
  at(index: number): number
  row(index: number): number[]
  readonly shape: readonly number[]
}

function reader(tensors: Tensors): (name: string) => Tensor {
  return (name) => {
    const { shape = [], data = new Float32Array() } = tensors[name] ?? {}
    const width = shape.at(-1) ?? 0
    return {
      shape,
      at: (index) => data[index] ?? Number.NaN,
      row: (index) => Array.from(data.subarray(index * width, (index + 1) * width)),
    }
  }
}

function apply(x: States, weight: Tensor, bias?: Tensor): States {
  const rows = Array.from({ length: weight.shape[0] ?? 0 }, (_, out) => weight.row(out))
  return x.map((token) => rows.map((row, out) => dot(row, token) + (bias?.at(out) ?? 0)))
}

function centred(token: readonly number[], epsilon: number): number[] {
  const mean = token.reduce((a, b) => a + b, 0) / token.length
  const variance = token.reduce((total, value) => total + (value - mean) ** 2, 0) / token.length
  return token.map((value) => (value - mean) / Math.sqrt(variance + epsilon))
}

function addAll(a: States, b: States): States {
  return a.map((token, s) => sum(token, b[s] ?? []))
}

function sum(...rows: (readonly number[])[]): number[] {
  return (rows[0] ?? []).map((_, i) => rows.reduce((total, row) => total + (row[i] ?? 0), 0))
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((total, value, i) => total + value * (b[i] ?? 0), 0)
}

/** By its series, which converges fast where the small models need it. */
function erf(x: number): number {
  let [term, total] = [x, x]
  for (let n = 1; n < 60; n++) {
    term *= (-x * x) / n
    total += term / (2 * n + 1)
  }
  return (2 / Math.sqrt(Math.PI)) * total
}
