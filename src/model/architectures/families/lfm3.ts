/** LFM3 (Liquid AI 2026): LFM2 with local layers, norms after both halves, and a gate on every head. */
import type { Family } from '../family.ts'
import { layerKinds } from '../layer-types.ts'
import { readRotary } from '../rotary.ts'
import { noAttention } from '../recurs.ts'
import { lfm2, readLfm } from './lfm2.ts'

const usualSections = {
  full_attention: { rope_type: 'proportional', partial_rotary_factor: 0.5, rope_theta: 1_000_000 },
  sliding_attention: { rope_type: 'default', rope_theta: 10_000 },
} as const

export const lfm3 = {
  title: 'LFM3',
  notes:
    'as LFM2: half of the layers are convolutions, a quarter local; norms after both halves, a sigmoid gate per head, rotary by layer type',
  modelTypes: ['lfm3'],
  classes: ['Lfm3'],
  spec: (config) => {
    const { scan, ...draft } = readLfm(config, { headWidth: 128, keyHeads: 4, kernel: 7, padId: 124_893 })
    const { layers, attention } = draft
    const { headWidth } = attention
    const norm = { ...draft.norm, epsilon: config.epsilon(['norm_eps', 'rms_norm_eps'], 1e-5) }
    const bias = config.flag('attention_bias', false)
    const kinds = layerKinds(config, layers, ['full_attention', 'sliding_attention', 'conv'], {
      derive: (layer) => {
        if (layer % 4 === 2) return 'full_attention'
        return layer % 4 === 0 && layer > 0 ? 'sliding_attention' : 'conv'
      },
    })
    const window = config.int('sliding_window', 256)
    const tables = (['full_attention', 'sliding_attention'] as const).map((layerType) =>
      readRotary(config, { headWidth, layerType, usual: usualSections[layerType] }),
    )
    return {
      ...draft,
      norm,
      placement: config.flag('use_sandwich_norm', true) ? 'around' : 'before',
      attention: {
        ...attention,
        queryKeyNorm: { over: 'head', norm },
        bias: { qkv: bias, out: bias },
        positions: { kind: 'rotary', tables },
        outGate: config.flag('use_attention_gate', true) ? { activation: 'sigmoid', per: 'head' } : undefined,
      },
      block: (layer) => {
        if (kinds[layer] === 'conv') return { attention: noAttention, rotary: undefined, scan }
        return kinds[layer] === 'sliding_attention' ? { window, rotary: 1 } : {}
      },
      heads: { causal: draft.heads.causal },
    }
  },
  prefixes: lfm2.prefixes,
  tensors: {
    ...lfm2.tensors,
    'block.norm1.after': 'layers.{i}.post_operator_norm.*',
    'block.norm2.after': 'layers.{i}.post_ffn_norm.*',
    'block.attention.gate': ['layers.{i}.self_attn.g_proj.*', 'layers.{i}.self_attn.gate_proj.*'],
    'block.attention.q.norm': 'layers.{i}.self_attn.q_norm.*',
    'block.attention.k.norm': 'layers.{i}.self_attn.k_norm.*',
    'block.attention.out': 'layers.{i}.self_attn.o_proj.*',
  },
} as const satisfies Family
