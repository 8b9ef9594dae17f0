/** LFM2 (Liquid AI 2025): gated short convolutions, and attention with norms on queries and keys in some layers. */
import type { ConfigReader } from '../config-reader.ts'
import { readDecoder } from '../decoder.ts'
import type { Family, FamilySpec } from '../family.ts'
import { causalHead, scoreHead } from '../heads.ts'
import { layerKinds } from '../layer-types.ts'
import { noAttention } from '../recurs.ts'
import { llama } from './llama.ts'

export const lfm2 = {
  title: 'LFM2',
  notes:
    'gated short convolutions, attention with RMS norms on q and k in some layers; the MLP has two thirds of the width written, rounded up, unless block_auto_adjust_ff_dim is off',
  modelTypes: ['lfm2'],
  classes: ['Lfm2'],
  spec: (config) => {
    const draft = readLfm2(config)
    return { ...draft, mlp: { ...draft.mlp, width: readMlpWidth(config) } }
  },
  prefixes: llama.prefixes,
  tensors: {
    'embed.token': 'embed_tokens.weight',
    'block.norm1': 'layers.{i}.operator_norm.*',
    'block.scan.in': 'layers.{i}.conv.in_proj.*',
    'block.scan.convolution': 'layers.{i}.conv.conv.*',
    'block.scan.out': 'layers.{i}.conv.out_proj.*',
    'block.attention.q': 'layers.{i}.self_attn.q_proj.*',
    'block.attention.k': 'layers.{i}.self_attn.k_proj.*',
    'block.attention.v': 'layers.{i}.self_attn.v_proj.*',
    'block.attention.q.norm': 'layers.{i}.self_attn.q_layernorm.*',
    'block.attention.k.norm': 'layers.{i}.self_attn.k_layernorm.*',
    'block.attention.out': 'layers.{i}.self_attn.out_proj.*',
    'block.norm2': 'layers.{i}.ffn_norm.*',
    'block.mlp.gate': 'layers.{i}.feed_forward.w1.*',
    'block.mlp.up': 'layers.{i}.feed_forward.w3.*',
    'block.mlp.out': 'layers.{i}.feed_forward.w2.*',
    'final.norm': 'embedding_norm.*',
    'head.causal': { outside: 'lm_head.weight' },
    'head.sequence.out': { outside: 'score.*' },
  },
} as const satisfies Family

/** All but the width of the MLP. */
export function readLfm2(config: ConfigReader) {
  const { scan, ...draft } = readLfm(config, { keyHeads: 8, kernel: 3, padId: 0 })
  const attending = config.numbers('full_attn_idxs')
  const kinds = layerKinds(config, draft.layers, ['full_attention', 'conv'], {
    derive: (layer) => (attending?.includes(layer) === false ? 'conv' : 'full_attention'),
  })
  return {
    ...draft,
    block: (layer) => (kinds[layer] === 'conv' ? { attention: noAttention, rotary: undefined, scan } : {}),
  } as const satisfies FamilySpec
}

/** What all generations have, and `scan`, which some of their blocks have in the place of attention. */
export function readLfm(
  config: ConfigReader,
  usual: { readonly keyHeads: number; readonly headWidth?: number; readonly kernel: number; readonly padId: number },
) {
  const { keyHeads, headWidth, kernel, padId } = usual
  const decoder = readDecoder(config, {
    maxTokens: 128_000,
    keyHeads,
    base: 1e6,
    ...(headWidth === undefined ? {} : { headWidth }),
  })
  const norm = { ...decoder.norm, epsilon: config.epsilon('norm_eps', 1e-5) }
  return {
    ...decoder,
    norm,
    padId: config.int('pad_token_id', padId, { min: -1 }),
    attention: {
      ...decoder.attention,
      bias: { qkv: false, out: false },
      queryKeyNorm: { over: 'head', norm },
    },
    mlp: { ...decoder.mlp, activation: 'silu', bias: false },
    heads: {
      causal: causalHead({ tied: config.flag(['tie_embedding', 'tie_word_embeddings'], true) }),
      sequence: scoreHead,
    },
    scan: {
      kind: 'short-convolution',
      kernel: config.int('conv_L_cache', kernel, { max: 1024 }),
      bias: config.flag('conv_bias', false),
    },
  } as const satisfies FamilySpec
}

function readMlpWidth(config: ConfigReader): number {
  const written = config.int(['block_ff_dim', 'intermediate_size'], 12_288)
  if (!config.flag('block_auto_adjust_ff_dim', true)) return written
  const factor = config.isNull('block_ffn_dim_multiplier') ? undefined : config.number('block_ffn_dim_multiplier', 1)
  const shrunk = Math.trunc((2 * written) / 3)
  if (factor === undefined) return shrunk
  const multiple = config.int('block_multiple_of', 256)
  return multiple * Math.ceil(Math.trunc(factor * shrunk) / multiple)
}
