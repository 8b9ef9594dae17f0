/** Qwen3.5's text model (Qwen Team 2026): the gated delta rule in three of four layers, gated attention in the fourth. */
import type { ConfigReader } from '../config-reader.ts'
import { readDecoder } from '../decoder.ts'
import { readExperts, sharedExpert, softmaxRouting } from '../experts.ts'
import type { ExpertsSpec } from '../experts-spec.ts'
import type { Family } from '../family.ts'
import { layerKinds } from '../layer-types.ts'
import { noAttention } from '../recurs.ts'
import { limits } from '../sizes.ts'
import type { MixerSpec } from '../mixer-spec.ts'
import type { SlotNames } from '../spec.ts'
import { gemmaNorm } from './gemma.ts'
import { qwen2Moe } from './qwen2-moe.ts'
import { qwen3 } from './qwen3.ts'

type GatedDelta = Extract<MixerSpec, { kind: 'gated-delta' }>

/** Rows of experts, and of the one that every token passes. */
export const qwenExpertRows = Object.fromEntries(
  Object.entries(qwen2Moe.tensors).filter(([slot]) => /^block\.mlp\.(?:router|experts|stacked|shared)/.test(slot)),
) satisfies SlotNames

export const qwen35 = {
  title: 'Qwen3.5 (text)',
  notes:
    'gated delta rule in three of four layers; attention with an output gate next to the queries, norms of 1 + weight, a quarter of each head is rotated',
  modelTypes: ['qwen3_5_text'],
  classes: ['Qwen3_5', 'Qwen3_5Text'],
  spec: (config) => readQwenHybrid(config, { layout: 'qkv', keyHeads: 4 }),
  prefixes: qwen3.prefixes,
  tensors: {
    ...qwen3.tensors,
    'block.scan.in': 'layers.{i}.linear_attn.in_proj_qkv.*',
    'block.scan.gate': 'layers.{i}.linear_attn.in_proj_z.*',
    'block.scan.share': 'layers.{i}.linear_attn.in_proj_b.*',
    'block.scan.select': 'layers.{i}.linear_attn.in_proj_a.*',
    'block.scan.convolution': 'layers.{i}.linear_attn.conv1d.*',
    'block.scan.step': 'layers.{i}.linear_attn.dt_bias',
    'block.scan.decay': 'layers.{i}.linear_attn.A_log',
    'block.scan.norm': 'layers.{i}.linear_attn.norm.*',
    'block.scan.out': 'layers.{i}.linear_attn.out_proj.*',
  },
} as const satisfies Family

export const qwen35Moe = {
  ...qwen35,
  title: 'Qwen3.5-MoE (text)',
  notes: 'Qwen3.5 with experts, softmax over the chosen, and one that every token passes, opened by a sigmoid',
  modelTypes: ['qwen3_5_moe_text'],
  classes: ['Qwen3_5Moe'],
  spec: (config) => {
    const { block, ...hybrid } = readQwenHybrid(config, {
      layout: 'qkv',
      keyHeads: 2,
      innerKey: 'moe_intermediate_size',
    })
    return {
      ...hybrid,
      block,
      mlp: readQwenExperts(config, hybrid.mlp.activation, { experts: 256, perToken: 8, normalized: 1 }),
    }
  },
  tensors: { ...qwen35.tensors, ...qwenExpertRows },
} as const satisfies Family

/** Experts and one that every token passes, as Qwen3-Next has them. */
export function readQwenExperts(
  config: ConfigReader,
  activation: ExpertsSpec['activation'],
  usual: { readonly experts: number; readonly perToken: number; readonly normalized: number | undefined },
): ExpertsSpec {
  return readExperts(config, {
    activation,
    routing: { ...softmaxRouting, normalized: usual.normalized },
    experts: [['num_experts', 'num_local_experts'], usual.experts],
    perToken: ['num_experts_per_tok', usual.perToken],
    width: ['moe_intermediate_size', 512],
    shared: sharedExpert(config.int('shared_expert_intermediate_size', 512, { max: limits.width }), { gated: true }),
  })
}

/** Qwen3-Next and what came after it, without experts. */
export function readQwenHybrid(
  config: ConfigReader,
  { layout, keyHeads, innerKey }: { layout: GatedDelta['layout']; keyHeads: number; innerKey?: string },
) {
  const decoder = readDecoder(config, {
    maxTokens: 32_768,
    keyHeads,
    headWidth: 256,
    rotary: { fraction: 0.25 },
    ...(innerKey === undefined ? {} : { innerKey }),
  })
  const norm = gemmaNorm(decoder.norm)
  const every = config.int('full_attention_interval', 4)
  const kinds = layerKinds(config, decoder.layers, ['linear_attention', 'full_attention'], {
    derive: (layer) => ((layer + 1) % every === 0 ? 'full_attention' : 'linear_attention'),
  })
  const scan = readGatedDelta(config, { layout, activation: decoder.mlp.activation, norm: decoder.norm })
  return {
    ...decoder,
    norm,
    attention: {
      ...decoder.attention,
      gate: 'with-queries',
      queryKeyNorm: { over: 'head', norm },
    },
    mlp: { ...decoder.mlp, bias: false },
    block: (layer: number) =>
      kinds[layer] === 'linear_attention' ? { attention: noAttention, rotary: undefined, scan } : {},
  } as const
}

interface DeltaOptions {
  readonly layout: GatedDelta['layout']
  readonly activation: GatedDelta['activation']
  readonly norm: GatedDelta['norm']['norm']
  readonly shareFactor?: number
  readonly usual?: {
    readonly keyHeads: number
    readonly heads: number
    readonly keyWidth?: (keyHeads: number) => number
    readonly valueWidth?: (keyWidth: number) => number
  }
}

/** The mixer as `linear_…` keys describe it. */
export function readGatedDelta(
  config: ConfigReader,
  { layout, activation, norm, shareFactor = 1, usual = { keyHeads: 16, heads: 32 } }: DeltaOptions,
): GatedDelta {
  const keyHeads = config.int('linear_num_key_heads', usual.keyHeads, { max: limits.heads })
  const heads = config.int('linear_num_value_heads', usual.heads, { max: limits.heads })
  if (heads % keyHeads !== 0) throw config.refuse('linear_num_value_heads', `is not divided by ${keyHeads} key heads`)
  const keyWidth = config.int('linear_key_head_dim', usual.keyWidth?.(keyHeads) ?? 128, { max: limits.width })
  return {
    kind: 'gated-delta',
    keyHeads,
    heads,
    keyWidth,
    valueWidth: config.int('linear_value_head_dim', usual.valueWidth?.(keyWidth) ?? 128, { max: limits.width }),
    kernel: config.int('linear_conv_kernel_dim', 4, { max: 1024 }),
    activation,
    layout,
    norm: { norm, groups: heads, order: 'norm-first', activation: 'silu', weightPer: 'group' },
    shareFactor,
  }
}
