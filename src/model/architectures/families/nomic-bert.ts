/**
 * Nomic's BERT (Nussbaum et al. 2024): post-norm, rotary positions, gated MLP; with transformers' keys, or with GPT-2's
 * as the repositories' own code has them.
 */
import type { Activation } from '../activation.ts'
import type { ConfigReader } from '../config-reader.ts'
import type { Family, FamilySpec } from '../family.ts'
import { maskedHead, pooledClassifier, poolerHead } from '../heads.ts'
import { readRotary } from '../rotary.ts'
import { dividedWidth, limits, readSizes, readWidth } from '../sizes.ts'
import type { MlpSpec, NormSpec, Rotary } from '../spec.ts'
import { bert, bertNorm } from './bert.ts'

const ownKeys = { layers: 'n_layer', width: 'n_embd', heads: 'n_head' } as const

export const nomicBert = {
  title: 'NomicBERT',
  notes:
    'post-norm, rotary positions, SwiGLU, no biases; config and tensors of transformers or of the original repositories (dense ones)',
  modelTypes: ['nomic_bert'],
  classes: ['NomicBert'],
  spec: (config) => (config.has('n_embd') ? readOriginal(config) : readConverted(config)),
  prefixes: ['', 'nomic_bert.', 'bert.'],
  tensors: {
    'embed.token': 'embeddings.word_embeddings.weight',
    'embed.type': 'embeddings.token_type_embeddings.weight',
    'embed.norm': ['emb_ln.*', 'embeddings.LayerNorm.*'],
    'block.attention.qkv': 'encoder.layers.{i}.attn.Wqkv.*',
    'block.attention.q': 'layers.{i}.self_attn.q_proj.*',
    'block.attention.k': 'layers.{i}.self_attn.k_proj.*',
    'block.attention.v': 'layers.{i}.self_attn.v_proj.*',
    'block.attention.out': ['encoder.layers.{i}.attn.out_proj.*', 'layers.{i}.self_attn.o_proj.*'],
    'block.norm1': ['encoder.layers.{i}.norm1.*', 'layers.{i}.post_attention_layernorm.*'],
    'block.mlp.in': 'encoder.layers.{i}.mlp.fc1.*',
    'block.mlp.up': ['encoder.layers.{i}.mlp.fc11.*', 'layers.{i}.mlp.up_proj.*'],
    'block.mlp.gate': ['encoder.layers.{i}.mlp.fc12.*', 'layers.{i}.mlp.gate_proj.*'],
    'block.mlp.out': ['encoder.layers.{i}.mlp.fc2.*', 'layers.{i}.mlp.down_proj.*'],
    'block.norm2': ['encoder.layers.{i}.norm2.*', 'layers.{i}.post_mlp_layernorm.*'],
    pooler: 'pooler.dense.*',
    'head.sequence.out': { outside: 'classifier.*' },
    'head.masked.dense': bert.tensors['head.masked.dense'],
    'head.masked.norm': { outside: 'cls.predictions.transform.layer_norm.*' },
    'head.masked.decoder': bert.tensors['head.masked.decoder'],
    'head.masked.bias': bert.tensors['head.masked.bias'],
  },
  depth: { count: ['num_hidden_layers', 'n_layer'] },
} as const satisfies Family

function readConverted(config: ConfigReader): FamilySpec {
  const sizes = readSizes(config)
  const headWidth =
    config.optionalInt('head_dim', { max: limits.width }) ?? dividedWidth(config, sizes.width, sizes.heads)
  return rotaryBert(config, {
    ...sizes,
    causal: false,
    maxTokens: config.int('max_position_embeddings', 2048),
    norm: bertNorm(config),
    bias: false,
    rotary: readRotary(config, { headWidth, base: 1000 }),
    headWidth,
    mlp: {
      kind: 'gated',
      layout: 'separate',
      activation: config.activation('hidden_act', 'silu'),
      width: readWidth(config, 'intermediate_size'),
      bias: false,
    },
  })
}

const gates: Readonly<Record<string, 'silu' | 'gelu' | 'sigmoid'>> = { swiglu: 'silu', geglu: 'gelu', glu: 'sigmoid' }

function readOriginal(config: ConfigReader): FamilySpec {
  const sizes = readSizes(config, ownKeys)
  const headWidth = dividedWidth(config, sizes.width, sizes.heads, ownKeys.heads)
  for (const [key, usual] of [
    ['prenorm', false],
    ['parallel_block', false],
    ['use_rms_norm', false],
    ['scale_attn_weights', true],
    ['scale_attn_by_inverse_layer_idx', false],
  ] as const)
    if (config.flag(key, usual) !== usual) throw config.unsupported(key, `is supported only as ${usual}`)
  if (config.int('num_experts', 0, { min: 0 }) > 0 && config.int('moe_every_n_layers', 0, { min: 0 }) > 0)
    throw config.unsupported('num_experts', 'experts of this family are not supported')
  if (config.has('rotary_emb_scale_base')) throw config.unsupported('rotary_emb_scale_base', 'xPos is not supported')
  const gate = gates[config.text('activation_function') ?? '']
  const mlp = {
    width: config.optionalInt('n_inner', { max: limits.width }) ?? 4 * sizes.width,
    bias: { in: config.flag('mlp_fc1_bias', true), out: config.flag('mlp_fc2_bias', true) },
  }
  return rotaryBert(config, {
    ...sizes,
    causal: config.flag('causal', false),
    maxTokens: config.int(['n_positions', 'max_position_embeddings'], 1024),
    norm: { kind: 'layer', epsilon: config.epsilon('layer_norm_epsilon', 1e-5), weight: 'plain', bias: true },
    bias: config.flag('qkv_proj_bias', true),
    rotary: readOriginalRotary(config, headWidth),
    headWidth,
    mlp:
      gate === undefined
        ? { kind: 'plain', activation: config.activation('activation_function', 'gelu'), ...mlp }
        : { kind: 'gated', layout: 'separate', activation: gate, ...mlp },
  })
}

/** `rotary_scaling_factor` is the dynamic rule (bloc97 2023) beyond `max_trained_positions`. */
function readOriginalRotary(config: ConfigReader, headWidth: number): Rotary {
  const width = Math.floor(headWidth * config.number('rotary_emb_fraction', 0, { min: 0, max: 1 }))
  if (width < 2 || width % 2 !== 0)
    throw config.unsupported('rotary_emb_fraction', `rotates ${width} of ${headWidth} columns, not an even number`)
  const factor = config.optionalNumber('rotary_scaling_factor', { min: 1, max: 1e6 })
  const trainedLength = config.int('max_trained_positions', 2048)
  return {
    width,
    base: config.number('rotary_emb_base', 10_000, { min: 1e-6 }),
    interleaved: config.flag('rotary_emb_interleaved', false),
    magnitude: 1,
    scaling: factor === undefined ? { kind: 'default' } : { kind: 'dynamic', factor, trainedLength },
  }
}

interface RotaryBert extends Pick<FamilySpec, 'layers' | 'width' | 'vocabulary' | 'causal' | 'maxTokens'> {
  readonly heads: number
  readonly headWidth: number
  readonly norm: NormSpec
  readonly bias: boolean
  readonly rotary: Rotary
  readonly mlp: Extract<MlpSpec, { kind: 'plain' | 'gated' }> & { readonly activation: Activation }
}

function rotaryBert(config: ConfigReader, read: RotaryBert): FamilySpec {
  const { heads, headWidth, bias, rotary, mlp, width, norm, ...rest } = read
  const pooler = poolerHead(width)
  const tied = config.flag('tie_word_embeddings', true)
  return {
    ...rest,
    width,
    norm,
    mlp,
    padId: config.int('pad_token_id', 0, { min: -1 }),
    embedding: { tokenTypes: config.int('type_vocab_size', 2, { min: 0 }), norm },
    placement: 'after-add',
    attention: {
      heads,
      headWidth,
      layout: 'qkv',
      bias: { qkv: bias, out: bias },
      positions: { kind: 'rotary', tables: [rotary] },
    },
    heads: {
      pooler,
      sequence: pooledClassifier(pooler),
      masked: maskedHead({ width, activation: mlp.activation, norm, tied }),
    },
  }
}
