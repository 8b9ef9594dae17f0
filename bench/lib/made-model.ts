/**
 * Models of TinyLlama's shape with made-up weights, for benches of merging: what a merge costs does not depend on what
 * the numbers mean.
 */
import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'

export interface MadeShape {
  readonly width: number
  readonly inner: number
  readonly layers: number
  readonly vocabulary: number
  readonly keyValue: number
}

/** 1.1 B parameters, as TinyLlama. */
export const tinyLlama: MadeShape = { width: 2048, inner: 5632, layers: 22, vocabulary: 32000, keyValue: 256 }
/** 0.2 B parameters. */
export const smallLlama: MadeShape = { ...tinyLlama, layers: 2 }

/**
 * Writes `base` and `tunes` fine-tunes of it below `folder`, in bfloat16: weights N(0, 0.02²), changes N(0, 0.001²)
 * rounded with the weight, as a short training leaves them.
 * Returns the bytes of one model.
 */
export function makeTinyLlamas(folder: string, shape: MadeShape, tunes: number): number {
  const names = ['base', ...Array.from({ length: tunes }, (_, k) => `tune-${k + 1}`)]
  const tensors = tensorsOf(shape)
  const header = headerOf(tensors)
  const files = names.map((name) => {
    mkdirSync(join(folder, name), { recursive: true })
    writeFileSync(join(folder, name, 'config.json'), JSON.stringify(configOf(shape), undefined, 2))
    const file = openSync(join(folder, name, 'model.safetensors'), 'w')
    writeSync(file, header)
    return file
  })
  const pool = Float32Array.from({ length: poolSize + step }, normals(20261121))
  let bytes = header.length
  let block = 0
  for (const [, dims] of tensors) {
    const count = dims.reduce((product, size) => product * size, 1)
    bytes += 2 * count
    for (let at = 0; at < count; at += step, block++) {
      const size = Math.min(step, count - at)
      files.forEach((file, k) => {
        const [weights, changes] = [stretchOf(pool, block * 4, size), stretchOf(pool, block * 4 + k, size)]
        writeSync(file, new Uint8Array(blend(weights, changes, dims.length === 1 ? 1 : 0, k === 0 ? 0 : 0.001).buffer))
      })
    }
  }
  for (const file of files) closeSync(file)
  return bytes
}

const step = 2 ** 20
const poolSize = 2 ** 22

/** Numbers are drawn once, and taken from another place for each block and model. */
function stretchOf<Pool extends Float32Array | Uint16Array>(pool: Pool, key: number, size: number): Pool {
  const at = Math.imul(key + 1, 0x9e3779b1) >>> 10
  return pool.subarray(at, at + size) as Pool
}

/**
 * Writes one model of these tensors in bfloat16, N(0, 0.02²) and vectors of norms 1. The numbers are drawn and rounded
 * once; a seed chooses the place in them at which each block begins.
 */
export function makeModel(
  folder: string,
  config: Record<string, unknown>,
  tensors: readonly (readonly [string, readonly number[]])[],
  { seed = 0 }: { seed?: number } = {},
): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'config.json'), JSON.stringify(config, undefined, 2))
  const file = openSync(join(folder, 'model.safetensors'), 'w')
  writeSync(file, headerOf(tensors))
  const pool = Float32Array.from({ length: poolSize + step }, normals(20261122))
  const [weights, norms] = [blend(pool, pool, 0, 0), blend(pool, pool, 1, 0)]
  for (const [index, [name, dims]] of tensors.entries()) {
    const count = dims.reduce((product, size) => product * size, 1)
    for (let at = 0; at < count; at += step) {
      const from = /norm\.weight$/i.test(name) ? norms : weights
      writeSync(file, stretchOf(from, (seed * 1000 + index) * 1000 + at / step, Math.min(step, count - at)))
    }
  }
  closeSync(file)
}

function blend(weights: Float32Array, changes: Float32Array, centre: number, spread: number): Uint16Array {
  const values = new Float32Array(weights.length)
  for (let i = 0; i < values.length; i++) values[i] = Math.fround(centre + 0.02 * weights[i]!) + spread * changes[i]!
  return bfloat16(values)
}

function tensorsOf({
  width,
  inner,
  layers,
  vocabulary,
  keyValue,
}: MadeShape): (readonly [string, readonly number[]])[] {
  return [
    ['model.embed_tokens.weight', [vocabulary, width]],
    ...Array.from({ length: layers }, (_, i): (readonly [string, readonly number[]])[] => {
      const layer = `model.layers.${i}`
      return [
        [`${layer}.input_layernorm.weight`, [width]],
        [`${layer}.mlp.down_proj.weight`, [width, inner]],
        [`${layer}.mlp.gate_proj.weight`, [inner, width]],
        [`${layer}.mlp.up_proj.weight`, [inner, width]],
        [`${layer}.post_attention_layernorm.weight`, [width]],
        [`${layer}.self_attn.k_proj.weight`, [keyValue, width]],
        [`${layer}.self_attn.o_proj.weight`, [width, width]],
        [`${layer}.self_attn.q_proj.weight`, [width, width]],
        [`${layer}.self_attn.v_proj.weight`, [keyValue, width]],
      ]
    }).flat(),
    ['model.norm.weight', [width]],
    ['lm_head.weight', [vocabulary, width]],
  ]
}

function headerOf(tensors: readonly (readonly [string, readonly number[]])[]): Buffer {
  let at = 0
  const fields = tensors.map(([name, shape]) => {
    const begin = at
    at += 2 * shape.reduce((product, size) => product * size, 1)
    return [name, { dtype: 'BF16', shape, data_offsets: [begin, at] }] as const
  })
  const json = Buffer.from(JSON.stringify({ __metadata__: { format: 'pt' }, ...Object.fromEntries(fields) }))
  const length = Math.ceil(json.length / 8) * 8
  const header = Buffer.alloc(8 + length, ' ')
  header.writeBigUInt64LE(BigInt(length))
  json.copy(header, 8)
  return header
}

function configOf({ width, inner, layers, vocabulary }: MadeShape): Record<string, unknown> {
  return {
    architectures: ['LlamaForCausalLM'],
    model_type: 'llama',
    hidden_size: width,
    intermediate_size: inner,
    num_hidden_layers: layers,
    num_attention_heads: 32,
    num_key_value_heads: 4,
    vocab_size: vocabulary,
    max_position_embeddings: 2048,
    rms_norm_eps: 1e-5,
    rope_theta: 10000,
    hidden_act: 'silu',
    bos_token_id: 1,
    eos_token_id: 2,
    tie_word_embeddings: false,
    torch_dtype: 'bfloat16',
  }
}

/** Near enough to normal: the sum of four uniform bytes of a multiply-with-carry sequence, standardised. */
function normals(seed: number): () => number {
  let state = seed | 1
  const spread = Math.sqrt((4 * (256 * 256 - 1)) / 12)
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0
    const word = (state ^ (state >>> 15)) >>> 0
    return ((word & 255) + ((word >>> 8) & 255) + ((word >>> 16) & 255) + (word >>> 24) - 510) / spread
  }
}

function bfloat16(values: Float32Array): Uint16Array {
  const bits = new Int32Array(values.buffer)
  const out = new Uint16Array(bits.length)
  for (let i = 0; i < bits.length; i++) out[i] = (bits[i]! + 0x7fff + ((bits[i]! >>> 16) & 1)) >>> 16
  return out
}
