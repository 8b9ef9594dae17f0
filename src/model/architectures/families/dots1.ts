/** dots.llm1 (rednote 2025), and Hy3 and K-EXAONE, which differ in windows and keys: norms of q and k, DeepSeek-V3's experts. */
import { type MixtureDefaults, mixtureRows, readMixture } from '../corrected-mixture.ts'
import type { ConfigReader } from '../config-reader.ts'
import { type Decoder, type DecoderDefaults, readDecoder, readWindow } from '../decoder.ts'
import type { Family, FamilySpec } from '../family.ts'
import { layerTypes } from '../layer-types.ts'
import { qwen3 } from './qwen3.ts'

/** Norms of q and k by head, and a corrected mixture. */
function readNormed(config: ConfigReader, usual: DecoderDefaults, mixture: MixtureDefaults): Decoder & FamilySpec {
  const decoder = readDecoder(config, usual)
  const attention = { ...decoder.attention, queryKeyNorm: { over: 'head', norm: decoder.norm } } as const
  return { ...decoder, attention, ...readMixture(config, decoder, mixture) } as Decoder & FamilySpec
}

export const dots1 = {
  title: 'dots.llm1',
  notes:
    'RMS norm on q and k per head; sigmoid routing as DeepSeek-V3, shared experts, dense first layers; window from max_window_layers on',
  modelTypes: ['dots1'],
  classes: ['Dots1'],
  spec: (config) => {
    const model = readNormed(config, { maxTokens: 2048, keyHeads: 32 }, { width: 1408, normalized: false })
    const window = readWindow(config, 4096)
    const from = config.int('max_window_layers', 62, { min: 0 })
    const types = layerTypes(config, model.layers, (layer) =>
      window !== undefined && layer >= from ? 'sliding_attention' : 'full_attention',
    )
    return {
      ...model,
      block: (layer) => ({
        ...model.block?.(layer),
        window: types[layer] === 'sliding_attention' ? window : undefined,
      }),
    }
  },
  prefixes: qwen3.prefixes,
  tensors: { ...qwen3.tensors, ...mixtureRows },
} as const satisfies Family

export const hyV3 = {
  ...dots1,
  title: 'Hy3',
  notes:
    'RMS norm on q and k per head; sigmoid routing with a correction and a factor on shares, shared experts, dense layers by mlp_layer_types',
  modelTypes: ['hy_v3'],
  classes: ['HYV3'],
  spec: (config) =>
    readNormed(
      config,
      { maxTokens: 131_072, keyHeads: 8, headWidth: 128, epsilon: 1e-5, base: 11_158_840 },
      {
        experts: 192,
        perToken: 8,
        width: 1536,
        shared: 1,
        dense: 1,
        listed: true,
        routing: { groups: undefined, normalized: 1, scaling: config.number('router_scaling_factor', 2.826) },
      },
    ),
  tensors: {
    ...dots1.tensors,
    'block.mlp.router': ['layers.{i}.mlp.router.gate.weight', 'layers.{i}.mlp.gate.weight'],
    'block.mlp.router.correction': ['layers.{i}.mlp.expert_bias', 'layers.{i}.mlp.e_score_correction_bias'],
    'block.mlp.shared.gate': ['layers.{i}.mlp.shared_mlp.gate_proj.*', 'layers.{i}.mlp.shared_experts.gate_proj.*'],
    'block.mlp.shared.up': ['layers.{i}.mlp.shared_mlp.up_proj.*', 'layers.{i}.mlp.shared_experts.up_proj.*'],
    'block.mlp.shared.out': ['layers.{i}.mlp.shared_mlp.down_proj.*', 'layers.{i}.mlp.shared_experts.down_proj.*'],
  },
  depth: { lists: ['mlp_layer_types'] },
} as const satisfies Family

export const exaoneMoe = {
  ...dots1,
  title: 'K-EXAONE',
  notes:
    'RMS norm on q and k per head, rotary only in layers with a window; sigmoid routing as DeepSeek-V3, shared experts, dense layers by mlp_layer_types',
  modelTypes: ['exaone_moe'],
  classes: ['ExaoneMoe'],
  spec: (config) => {
    const model = readNormed(
      config,
      { maxTokens: 2048, keyHeads: 32, epsilon: 1e-5 },
      { experts: 64, perToken: 8, width: 1024, shared: 1, dense: 1, listed: true, scaling: 2.5 },
    )
    const window = readWindow(config, 4096)
    const every =
      window === undefined || config.isText('sliding_window_pattern') ? 0 : config.int('sliding_window_pattern', 4)
    const types = layerTypes(config, model.layers, (layer) =>
      every !== 0 && (layer + 1) % every !== 0 ? 'sliding_attention' : 'full_attention',
    )
    const { heads, keyHeads } = model.attention
    return {
      ...model,
      padId: config.int('pad_token_id', 0, { min: -1 }),
      attention: { ...model.attention, keyHeads: keyHeads ?? heads, bias: { qkv: false, out: false } },
      block: (layer) => {
        const sliding = types[layer] === 'sliding_attention'
        const own = { ...model.block?.(layer), window: sliding ? window : undefined }
        return sliding || window === undefined ? own : { ...own, rotary: undefined }
      },
    }
  },
  tensors: {
    ...dots1.tensors,
    'block.mlp.router.correction': [
      'layers.{i}.mlp.e_score_correction_bias',
      'layers.{i}.mlp.gate.e_score_correction_bias',
    ],
  },
  depth: { lists: ['layer_types', 'mlp_layer_types'] },
} as const satisfies Family
