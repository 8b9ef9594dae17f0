/**
 * GTE (Zhang et al. 2024): post-norm, rotary positions, gated MLP. `gte` is transformers' class, `new` the same model with
 * the config and tensors of Alibaba's own code.
 */
import type { ConfigReader } from '../config-reader.ts'
import type { Family, FamilySpec } from '../family.ts'
import { maskedHead, pooledClassifier, poolerHead } from '../heads.ts'
import { readRotary } from '../rotary.ts'
import { dividedWidth, readSizes, readWidth } from '../sizes.ts'
import type { Rotary } from '../spec.ts'
import { bertNorm } from './bert.ts'

export const gte = {
  title: 'GTE',
  notes: 'post-norm, rotary positions, gated MLP with a bias behind it, token types where the config has them',
  modelTypes: ['gte'],
  classes: ['Gte'],
  spec: (config) => {
    const sizes = readSizes(config)
    const rotary = readRotary(config, { headWidth: dividedWidth(config, sizes.width, sizes.heads), base: 160_000 })
    return postNorm(config, { rotary, maxTokens: 8192, padId: 1, head: 'gelu' })
  },
  prefixes: ['', 'gte.', 'new.'],
  tensors: {
    'embed.token': 'embeddings.word_embeddings.weight',
    'embed.position': 'embeddings.position_embeddings.weight',
    'embed.type': 'embeddings.token_type_embeddings.weight',
    'embed.norm': 'embeddings.LayerNorm.*',
    'block.attention.qkv': 'encoder.layer.{i}.attention.qkv_proj.*',
    'block.attention.q': ['layers.{i}.self_attn.q_proj.*', 'encoder.layer.{i}.attention.q_proj.*'],
    'block.attention.k': ['layers.{i}.self_attn.k_proj.*', 'encoder.layer.{i}.attention.k_proj.*'],
    'block.attention.v': ['layers.{i}.self_attn.v_proj.*', 'encoder.layer.{i}.attention.v_proj.*'],
    'block.attention.out': ['encoder.layer.{i}.attention.o_proj.*', 'layers.{i}.self_attn.o_proj.*'],
    'block.norm1': ['encoder.layer.{i}.attn_ln.*', 'layers.{i}.post_attention_layernorm.*'],
    'block.mlp.in': 'encoder.layer.{i}.mlp.up_gate_proj.*',
    'block.mlp.gate': 'layers.{i}.mlp.gate_proj.*',
    'block.mlp.up': 'layers.{i}.mlp.up_proj.*',
    'block.mlp.out': ['encoder.layer.{i}.mlp.down_proj.*', 'layers.{i}.mlp.down_proj.*'],
    'block.norm2': ['encoder.layer.{i}.mlp_ln.*', 'layers.{i}.post_mlp_layernorm.*'],
    pooler: 'pooler.dense.*',
    'head.sequence.out': { outside: 'classifier.*' },
    'head.masked.dense': { outside: 'lm_head.dense.*' },
    'head.masked.norm': { outside: ['lm_head.norm.*', 'lm_head.layer_norm.*'] },
    'head.masked.decoder': { outside: 'lm_head.decoder.weight' },
    'head.masked.bias': { outside: 'lm_head.decoder.bias' },
  },
} as const satisfies Family

export const newGte = {
  ...gte,
  title: 'GTE (original code)',
  notes: 'GTE with the config and tensors of its own code; rotary scaling `ntk`',
  modelTypes: ['new'],
  classes: ['New'],
  spec: (config) => {
    const { width, heads } = readSizes(config)
    if (config.flag('logn_attention_scale', false))
      throw config.unsupported('logn_attention_scale', "the repository's own code leaves this unfinished")
    if (config.choice('layer_norm_type', ['layer_norm', 'rms_norm'], 'layer_norm') === 'rms_norm')
      throw config.unsupported('layer_norm_type', 'only layer_norm is supported')
    const rope = config.choice('position_embedding_type', ['rope', 'absolute'], 'rope') === 'rope'
    const rotary = rope ? readFixedScaling(config, dividedWidth(config, width, heads)) : undefined
    return postNorm(config, { rotary, maxTokens: 2048, padId: 0, head: config.activation('hidden_act', 'gelu') })
  },
} as const satisfies Family

/** `ntk` (Su 2023): the base times the factor, and every frequency divided by factor^(2/width), at any length. */
function readFixedScaling(config: ConfigReader, headWidth: number): Rotary {
  const scaling = config.section('rope_scaling')
  if (scaling?.text('type') !== 'ntk') return readRotary(config, { headWidth })
  if (scaling.has('mixed_b')) throw scaling.unsupported('mixed_b', 'mixed scaling is not supported')
  const factor = scaling.number('factor', undefined, { min: 1, max: 1e6 })
  return {
    width: headWidth,
    base: config.number('rope_theta', 10_000, { min: 1e-6 }) * factor,
    interleaved: false,
    magnitude: 1,
    scaling: { kind: 'linear', factor: factor ** (2 / headWidth) },
  }
}

function postNorm(
  config: ConfigReader,
  usual: {
    rotary: Rotary | undefined
    maxTokens: number
    padId: number
    head: Parameters<typeof maskedHead>[0]['activation']
  },
): FamilySpec {
  const { layers, width, heads, vocabulary } = readSizes(config)
  const norm = bertNorm(config)
  const pooler = poolerHead(width)
  const rows = config.int('max_position_embeddings', usual.maxTokens)
  return {
    layers,
    width,
    vocabulary,
    norm,
    causal: false,
    maxTokens: rows,
    padId: config.int('pad_token_id', usual.padId, { min: -1 }),
    embedding: {
      tokenTypes: config.int('type_vocab_size', 1, { min: 0 }),
      positions: usual.rotary === undefined ? { from: 'columns', rows } : undefined,
      norm,
    },
    placement: 'after-add',
    attention: {
      heads,
      layout: 'qkv',
      bias: { qkv: true, out: true },
      positions: usual.rotary === undefined ? { kind: 'none' } : { kind: 'rotary', tables: [usual.rotary] },
    },
    mlp: {
      kind: 'gated',
      layout: 'halves-reversed',
      activation: config.activation('hidden_act', 'gelu'),
      width: readWidth(config, 'intermediate_size'),
      bias: { in: false, out: true },
    },
    heads: {
      pooler,
      sequence: pooledClassifier(pooler),
      masked: maskedHead({ width, activation: usual.head, norm, tied: config.flag('tie_word_embeddings', true) }),
    },
  }
}
