/** Models that differ from DeepSeek-V3 in defaults, in how dense layers are named, or in one norm. */
import type { Family } from '../family.ts'
import { deepseekV3, readDeepseek, refuseSparseSteps } from './deepseek-v3.ts'

const listed = { listed: true } as const

export const glm4MoeLite = {
  ...deepseekV3,
  title: 'GLM-4.7 Flash',
  notes: 'DeepSeek-V3 with other defaults; dense layers by mlp_layer_types',
  modelTypes: ['glm4_moe_lite'],
  classes: ['Glm4MoeLite'],
  spec: (config) =>
    readDeepseek(config, {
      maxTokens: 202_752,
      epsilon: 1e-5,
      latent: { queryRank: 768, value: 256, plain: 192 },
      mixture: { ...listed, experts: 64, perToken: 4, width: 1536, shared: 1, dense: 1, scaling: 1.8 },
    }),
  depth: { lists: ['mlp_layer_types'] },
} as const satisfies Family

export const sarvamMla = {
  ...deepseekV3,
  title: 'Sarvam MLA',
  notes: 'DeepSeek-V3 with other defaults; rope_type deepseek_yarn means yarn',
  modelTypes: ['sarvam_mla'],
  classes: ['SarvamMLA'],
  spec: (config) =>
    readDeepseek(config, {
      maxTokens: 4096,
      latent: { rotary: { aliases: { deepseek_yarn: 'yarn' } } },
      mixture: { experts: 128, perToken: 8, width: 2048, shared: 1, dense: 1, scaling: 2.5 },
    }),
} as const satisfies Family

export const axk1 = {
  ...deepseekV3,
  title: 'A.X K1',
  notes:
    'DeepSeek-V3 with a norm of what experts give; dense layers by mlp_layer_types, or first_k_dense_replace and moe_layer_freq',
  modelTypes: ['axk1'],
  classes: ['AXK1'],
  spec: (config) => {
    const every = config.int('moe_layer_freq', 1)
    if (!config.has('mlp_layer_types') && every !== 1) refuseSparseSteps(config)
    const model = readDeepseek(config, {
      maxTokens: 32_768,
      latent: { queryRank: 1536 },
      mixture: {
        ...listed,
        experts: 192,
        perToken: 8,
        width: 2048,
        shared: 1,
        dense: 1,
        scaling: 2.5,
        groups: 8,
        chosen: 4,
        routing: { correction: 'if-stored' },
      },
    })
    return model.mlp.kind === 'experts' ? { ...model, mlp: { ...model.mlp, outNorm: model.norm } } : model
  },
  tensors: {
    ...deepseekV3.tensors,
    'block.mlp.mixed.norm': ['layers.{i}.post_mlp_layernorm.*', 'layers.{i}.mlp.post_mlp_layernorm.*'],
  },
  depth: { lists: ['mlp_layer_types'] },
} as const satisfies Family
