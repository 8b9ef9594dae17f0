/** Nemotron-H (NVIDIA 2025): every layer is one of Mamba-2, attention without positions, and an MLP. */
import type { ConfigReader } from '../config-reader.ts'
import type { Family } from '../family.ts'
import { causalHead } from '../heads.ts'
import { layerKinds } from '../layer-types.ts'
import { noAttention, noMlp } from '../recurs.ts'
import { limits, readGroupedHeads, readWidth } from '../sizes.ts'
import { type DualityKeys, readDuality } from '../state-space.ts'
import { mamba2 } from './mamba2.ts'

export const nemotronH = {
  title: 'Nemotron-H',
  notes:
    'every layer is one half: Mamba-2, attention without positions, or a plain MLP of squared ReLU, as layers_block_type or hybrid_override_pattern says; experts are refused',
  modelTypes: ['nemotron_h'],
  classes: ['NemotronH'],
  spec: (config) => {
    const width = readWidth(config, 'hidden_size')
    const heads = config.int('num_attention_heads', 32, { max: limits.heads })
    const kinds = readKinds(config)
    const norm = {
      kind: 'rms',
      epsilon: config.epsilon('layer_norm_epsilon', 1e-5),
      weight: 'plain',
      bias: false,
    } as const
    const inner =
      config.int('mamba_num_heads', 128, { max: limits.heads }) *
      config.int('mamba_head_dim', 64, { max: limits.width })
    const scan = {
      ...readDuality(config, keys, { inner, norm }),
      activation: config.activation('mamba_hidden_act', 'silu'),
      // the reference reads no time_step_limit here
      limits: { least: config.number(['mamba_dt_min', 'time_step_min'], 0.001, { min: 0 }), most: undefined },
    }
    const parts = {
      linear_attention: { attention: noAttention, mlp: noMlp, scan },
      full_attention: { mlp: noMlp },
      mlp: { attention: noAttention },
    } as const
    return {
      layers: kinds.length,
      width,
      vocabulary: config.int('vocab_size', undefined, { max: limits.vocabulary }),
      causal: true,
      maxTokens: config.int('max_position_embeddings', 4096),
      padId: config.int('pad_token_id', 0, { min: -1 }),
      norm,
      placement: 'before',
      attention: {
        heads,
        ...readGroupedHeads(config, { width, heads }, { keyHeads: 8, headWidth: 128 }),
        bias: { qkv: false, out: false },
        positions: { kind: 'none' },
      },
      mlp: {
        kind: 'plain',
        activation: config.activation('mlp_hidden_act', 'relu2'),
        width: config.int('intermediate_size', 21_504, { max: limits.width }),
        bias: config.flag('mlp_bias', false),
      },
      block: (layer) => parts[kinds[layer] ?? 'mlp'],
      final: { norm: true },
      heads: { causal: causalHead({ tied: config.flag('tie_word_embeddings', false) }) },
    }
  },
  prefixes: ['model.', 'backbone.', ''],
  tensors: {
    ...mamba2.tensors,
    'block.attention.q': 'layers.{i}.mixer.q_proj.*',
    'block.attention.k': 'layers.{i}.mixer.k_proj.*',
    'block.attention.v': 'layers.{i}.mixer.v_proj.*',
    'block.attention.out': 'layers.{i}.mixer.o_proj.*',
    'block.mlp.in': 'layers.{i}.mixer.up_proj.*',
    'block.mlp.out': 'layers.{i}.mixer.down_proj.*',
  },
  depth: { lists: ['layers_block_type', 'layer_types'] },
} as const satisfies Family

const keys = {
  heads: 'mamba_num_heads',
  headWidth: 'mamba_head_dim',
  groups: ['mamba_n_groups', 'n_groups'],
  states: 'ssm_state_size',
  kernel: ['mamba_d_conv', 'conv_kernel'],
  kernelBias: ['mamba_conv_bias', 'use_conv_bias'],
  bias: 'use_bias',
  usual: { heads: 128, headWidth: 64, groups: 8, states: 128 },
} as const satisfies DualityKeys

const letters: Readonly<Record<string, string>> = { M: 'linear_attention', '*': 'full_attention', '-': 'mlp', E: 'moe' }

/** One word per layer, or one letter. Throws `config.unsupported` for layers of experts. */
function readKinds(config: ConfigReader): readonly ('linear_attention' | 'full_attention' | 'mlp')[] {
  const listed = ['layers_block_type', 'layer_types'] as const
  const pattern = config.has(listed) ? undefined : config.text('hybrid_override_pattern')
  if (pattern === undefined) {
    const { length } = config.list(listed) ?? []
    if (length === 0) throw config.refuse(listed, 'is missing', 'a list with one word per layer')
    return layerKinds(config, length, ['linear_attention', 'full_attention', 'mlp'], {
      keys: listed,
      derive: () => 'mlp',
    })
  }
  return Array.from(pattern, (letter) => {
    const kind = letters[letter]
    if (kind === 'linear_attention' || kind === 'full_attention' || kind === 'mlp') return kind
    throw config.unsupported('hybrid_override_pattern', 'supports only M, * and -: Mamba-2, attention, MLP')
  })
}
