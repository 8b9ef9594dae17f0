/** Zamba 2 (Glorioso et al. 2024): Mamba-2, and a few transformer blocks that many layers share, with branches of their own. */
import type { ConfigReader } from '../config-reader.ts'
import type { Family, FamilySpec } from '../family.ts'
import { causalHead, scoreHead } from '../heads.ts'
import { layerKinds } from '../layer-types.ts'
import type { MixerSpec } from '../mixer-spec.ts'
import { noAttention, noMlp } from '../recurs.ts'
import { readRotary } from '../rotary.ts'
import { limits, readGroupedHeads, readSizes } from '../sizes.ts'
import type { AttentionSpec, MlpSpec, NormSpec } from '../spec.ts'
import { type DualityKeys, readDuality, readExpanded } from '../state-space.ts'

export const zamba2 = {
  title: 'Zamba 2',
  notes:
    'Mamba-2; hybrid layers first add what one of num_mem_blocks shared transformer blocks makes of state and embedding, with low-rank branches of their own; a shared block is stored with the first layer that uses it',
  modelTypes: ['zamba2'],
  classes: ['Zamba2'],
  spec: (config) => {
    const { layers, width, heads } = readSizes(config)
    const bias = config.flag('add_bias_linear', false)
    const rank = config.int('adapter_rank', 128, { max: limits.width })
    const norm = { ...zambaNorm(config), epsilon: 1e-5 } as const
    config.only('use_conv_bias', [true], 'has a convolution with a bias in the reference, whatever is written here')
    const scan = {
      ...readDuality(config, keys, { inner: readExpanded(config, 'mamba_expand', width), norm }),
      activation: 'silu',
      limits: { least: config.number('time_step_min', 0.001, { min: 0 }), most: undefined },
    } as const
    const sizes = readJoinedHeads(config, { width, heads })
    const branches = config.flag('use_shared_attention_adapter', false)
    if (branches && sizes.keyHeads !== heads)
      throw config.unsupported('num_key_value_heads', `has adapters of all ${heads} heads in the reference`)
    if (sizes.headWidth * heads !== 2 * width)
      throw config.unsupported(
        'attention_head_dim',
        `is ${(2 * width) / heads} in the reference, whatever is written here`,
      )
    const isHybrid = readHybrids(config, layers, (layer) => {
      if (layers !== 54) throw config.refuse('layers_block_type', 'is missing', `${layers} layers`)
      return layer > 45 ? layer === 47 || layer === 51 : layer > 0 && layer % 6 === 0
    })
    return readZamba(config, {
      isHybrid,
      shared: config.int('num_mem_blocks', 1, { max: limits.layers }),
      scan,
      mlp: {
        kind: 'gated',
        layout: 'halves',
        activation: config.activation('hidden_act', 'gelu'),
        width: config.int('intermediate_size', 4 * width, { max: limits.width }),
        bias,
        branch: rank,
      },
      attention: {
        ...sizes,
        branch: branches ? rank : undefined,
        positions: config.flag('use_mem_rope', false)
          ? { kind: 'rotary', tables: [readRotary(config, sizes)] }
          : { kind: 'none' },
      },
    })
  },
  prefixes: ['model.', ''],
  tensors: {
    'embed.token': 'embed_tokens.weight',
    'block.norm1': inDecoder('input_layernorm.*'),
    'block.scan.in': inDecoder('mamba.in_proj.*'),
    'block.scan.convolution': inDecoder('mamba.conv1d.*'),
    'block.scan.step': inDecoder('mamba.dt_bias'),
    'block.scan.decay': inDecoder('mamba.A_log'),
    'block.scan.skip': inDecoder('mamba.D'),
    'block.scan.norm': inDecoder('mamba.norm.*'),
    'block.scan.out': inDecoder('mamba.out_proj.*'),
    'block.joined.norm': shared('input_layernorm.*'),
    'block.attention.q': shared('self_attn.q_proj.*'),
    'block.attention.k': shared('self_attn.k_proj.*'),
    'block.attention.v': shared('self_attn.v_proj.*'),
    'block.attention.branch.q.down': shared('self_attn.linear_q_adapter_list.{j}.0.*'),
    'block.attention.branch.q.up': shared('self_attn.linear_q_adapter_list.{j}.1.*'),
    'block.attention.branch.k.down': shared('self_attn.linear_k_adapter_list.{j}.0.*'),
    'block.attention.branch.k.up': shared('self_attn.linear_k_adapter_list.{j}.1.*'),
    'block.attention.branch.v.down': shared('self_attn.linear_v_adapter_list.{j}.0.*'),
    'block.attention.branch.v.up': shared('self_attn.linear_v_adapter_list.{j}.1.*'),
    'block.attention.out': shared('self_attn.o_proj.*'),
    'block.norm2': shared('pre_ff_layernorm.*'),
    'block.mlp.in': shared('feed_forward.gate_up_proj.*'),
    'block.mlp.branch.down': shared('feed_forward.gate_up_proj_adapter_list.{j}.0.*'),
    'block.mlp.branch.up': shared('feed_forward.gate_up_proj_adapter_list.{j}.1.*'),
    'block.mlp.out': shared('feed_forward.down_proj.*'),
    'block.joined.out': 'layers.{i}.linear.*',
    'final.norm': 'final_layernorm.*',
    'head.causal': { outside: 'lm_head.weight' },
    'head.sequence.out': { outside: 'score.*' },
  },
  depth: { lists: ['layers_block_type', 'layer_types'] },
} as const satisfies Family

const keys = {
  heads: 'n_mamba_heads',
  headWidth: 'mamba_headdim',
  groups: 'mamba_ngroups',
  states: 'mamba_d_state',
  kernel: 'mamba_d_conv',
  kernelBias: 'use_conv_bias',
  bias: 'add_bias_linear',
  usual: { heads: 8, groups: 1, states: 64 },
} as const satisfies DualityKeys

/** A layer's own part stands one module deeper where the layer is hybrid. */
export function inDecoder(name: string): readonly [string, string] {
  return [`layers.{i}.${name}`, `layers.{i}.mamba_decoder.${name}`]
}

function shared(name: string): string {
  return `layers.{s}.shared_transformer.${name}`
}

function zambaNorm(config: ConfigReader): NormSpec {
  return { kind: 'rms', epsilon: config.epsilon('rms_norm_eps', 1e-5), weight: 'plain', bias: false }
}

/** Heads that read twice the width. */
export function readJoinedHeads(
  config: ConfigReader,
  { width, heads }: { readonly width: number; readonly heads: number },
  keyHeads?: number,
): { readonly heads: number; readonly keyHeads: number; readonly headWidth: number } {
  if (config.int('attention_hidden_size', 2 * width) !== 2 * width)
    throw config.unsupported('attention_hidden_size', `state and embedding have ${2 * width} columns`)
  const sizes = readGroupedHeads(config, { width: 2 * width, heads }, { keyHeads })
  return { ...sizes, heads, headWidth: config.int('attention_head_dim', sizes.headWidth, { max: limits.width }) }
}

export function readHybrids(
  config: ConfigReader,
  layers: number,
  derive: (layer: number) => boolean,
): (layer: number) => boolean {
  const kinds = layerKinds(config, layers, ['linear_attention', 'hybrid'], {
    keys: ['layers_block_type', 'layer_types'],
    derive: (layer) => (derive(layer) ? 'hybrid' : 'linear_attention'),
  })
  return (layer) => kinds[layer] === 'hybrid'
}

interface ZambaParts {
  readonly isHybrid: (layer: number) => boolean
  /** Transformer blocks, used in turn. */
  readonly shared: number
  readonly scan: MixerSpec
  readonly mlp: MlpSpec
  readonly attention: Pick<AttentionSpec, 'heads' | 'keyHeads' | 'headWidth' | 'positions' | 'branch'>
}

export function readZamba(
  config: ConfigReader,
  { isHybrid, shared: count, scan, mlp, attention }: ZambaParts,
): FamilySpec {
  const { layers, width, vocabulary } = readSizes(config)
  const tied = config.flag('tie_word_embeddings', true)
  const hybrids = Array.from({ length: layers }, (_, layer) => layer).filter(isHybrid)
  return {
    layers,
    width,
    vocabulary,
    causal: true,
    maxTokens: config.flag('use_long_context', false) ? 16_384 : config.int('max_position_embeddings', 4096),
    padId: config.isNull('pad_token_id') ? undefined : config.int('pad_token_id', 0, { min: -1 }),
    norm: zambaNorm(config),
    placement: 'into-scan',
    scale: (attention.headWidth / 2) ** -0.5,
    attention: { ...attention, bias: { qkv: false, out: false } },
    mlp,
    scan,
    block: (layer) => {
      const use = hybrids.indexOf(layer)
      return use < 0
        ? { attention: noAttention, rotary: undefined, mlp: noMlp }
        : // the reference ties blocks and head together, or nothing
          { j: use, s: tied ? hybrids[use % count] : layer }
    },
    final: { norm: true },
    heads: { causal: causalHead({ tied }), sequence: scoreHead },
  }
}
