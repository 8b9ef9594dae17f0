/** Nemotron-H (NVIDIA 2025): layers of Mamba-2, of attention without positions, of an MLP or of experts. */
import type { ConfigReader } from '../config-reader.ts'
import type { Family } from '../family.ts'
import { expertRows, readExperts, readGroups, readNormalized, sharedExpert, softmaxRouting } from '../experts.ts'
import type { ExpertsSpec } from '../experts-spec.ts'
import { causalHead } from '../heads.ts'
import { layerKinds } from '../layer-types.ts'
import { noAttention, noMlp } from '../recurs.ts'
import { limits, readGroupedHeads, readWidth } from '../sizes.ts'
import { type DualityKeys, readDuality } from '../state-space.ts'
import { mamba2 } from './mamba2.ts'

export const nemotronH = {
  title: 'Nemotron-H',
  notes:
    'every layer is one half: Mamba-2, attention without positions, or a plain MLP of squared ReLU, or a mixture of such MLPs after DeepSeek-V3 (on fewer columns with moe_latent_size), as layers_block_type or hybrid_override_pattern says',
  modelTypes: ['nemotron_h'],
  classes: ['NemotronH'],
  spec: (config) => {
    const width = readWidth(config, 'hidden_size')
    const heads = config.int('num_attention_heads', 32, { max: limits.heads })
    const kinds = readKinds(config)
    for (const key of idle) config.has(key)
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
      moe: kinds.includes('moe') ? { attention: noAttention, mlp: readMixture(config) } : {},
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
    ...expertRows('layers.{i}.mixer'),
    'block.mlp.stacked.up': 'layers.{i}.mixer.experts.up_proj',
    'block.mlp.stacked.out': 'layers.{i}.mixer.experts.down_proj',
    'block.mlp.latent.in': 'layers.{i}.mixer.fc1_latent_proj.*',
    'block.mlp.latent.out': 'layers.{i}.mixer.fc2_latent_proj.*',
    'block.mlp.router': 'layers.{i}.mixer.gate.weight',
    'block.mlp.router.correction': 'layers.{i}.mixer.gate.e_score_correction_bias',
    'block.mlp.shared.up': 'layers.{i}.mixer.shared_experts.up_proj.*',
    'block.mlp.shared.out': 'layers.{i}.mixer.shared_experts.down_proj.*',
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

/** How kernels compute, tokens predicted beyond the next, and what only layers of experts read. */
const idle = (
  'chunk_size mamba_ssm_cache_dtype use_mamba_kernels num_logits_to_keep num_nextn_predict_layers ' +
  'mtp_layers_block_type mtp_hybrid_override_pattern moe_shared_expert_overlap n_routed_experts n_shared_experts ' +
  'num_experts_per_tok moe_intermediate_size moe_shared_expert_intermediate_size moe_latent_size ' +
  'routed_scaling_factor n_group topk_group norm_topk_prob'
).split(' ')

const letters: Readonly<Record<string, string>> = { M: 'linear_attention', '*': 'full_attention', '-': 'mlp', E: 'moe' }

const kindNames = ['linear_attention', 'full_attention', 'mlp', 'moe'] as const

/** Experts that are no gated MLPs, and one that every token passes, as wide as its own key says. */
function readMixture(config: ConfigReader): ExpertsSpec {
  const counted = [['n_routed_experts', 'num_local_experts'], 8] as const
  const bias = config.flag('mlp_bias', false)
  const latent = config.optionalInt('moe_latent_size', { max: limits.width })
  // the reference has one, whatever its number
  config.int('n_shared_experts', 1, { min: 0 })
  return readExperts(config, {
    activation: config.activation('mlp_hidden_act', 'relu2'),
    plain: true,
    latent: latent === undefined ? undefined : { width: latent, bias },
    routing: {
      ...softmaxRouting,
      scores: 'sigmoid',
      correction: true,
      groups: readGroups(config, { groups: 1, chosen: 1, by: 'best-two' }, counted),
      normalized: readNormalized(config, true),
      scaling: config.number('routed_scaling_factor', 1),
    },
    experts: counted,
    perToken: ['num_experts_per_tok', 2],
    width: ['moe_intermediate_size', 7688],
    shared: sharedExpert(config.int('moe_shared_expert_intermediate_size', 7688, { max: limits.width }), { bias }),
  })
}

/** One word per layer, or one letter. */
function readKinds(config: ConfigReader): readonly (typeof kindNames)[number][] {
  const listed = ['layers_block_type', 'layer_types'] as const
  const pattern = config.has(listed) ? undefined : config.text('hybrid_override_pattern')
  if (pattern === undefined) {
    const { length } = config.list(listed) ?? []
    if (length === 0) throw config.refuse(listed, 'is missing', 'a list with one word per layer')
    return layerKinds(config, length, kindNames, {
      keys: listed,
      derive: () => 'mlp',
    })
  }
  return Array.from(pattern, (letter) => {
    const kind = kindNames.find((name) => name === letters[letter])
    if (kind !== undefined) return kind
    throw config.unsupported('hybrid_override_pattern', 'supports only M, *, - and E: Mamba-2, attention, MLP, experts')
  })
}
