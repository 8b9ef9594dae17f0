/** DeepSeek-V3.2 (DeepSeek-AI 2025) and GLM-5: latent attention to the keys that an indexer chooses. */
import type { ConfigReader } from '../config-reader.ts'
import type { Family } from '../family.ts'
import { deepseekV3, readDeepseek } from './deepseek-v3.ts'

export const deepseekV32 = {
  ...deepseekV3,
  title: 'DeepSeek-V3.2',
  notes:
    'DeepSeek-V3 whose queries see the index_topk keys that an indexer chooses; dense layers by mlp_layer_types; no generation with a past',
  modelTypes: ['deepseek_v32'],
  classes: ['DeepseekV32'],
  spec: (config) =>
    readDeepseek(config, {
      maxTokens: 163_840,
      latent: { queryRank: 1536, interleaved: true, indexer: { heads: 64, interleaved: false } },
      mixture: {
        listed: true,
        experts: 256,
        perToken: 8,
        width: 2048,
        shared: 1,
        dense: 3,
        scaling: 2.5,
        groups: 8,
        chosen: 4,
      },
    }),
  tensors: {
    ...deepseekV3.tensors,
    'block.attention.index.q': 'layers.{i}.self_attn.indexer.wq_b.weight',
    'block.attention.index.k': 'layers.{i}.self_attn.indexer.wk.weight',
    'block.attention.index.k.norm': 'layers.{i}.self_attn.indexer.k_norm.*',
    'block.attention.index.weights': 'layers.{i}.self_attn.indexer.weights_proj.weight',
  },
  depth: { lists: ['layer_types', 'mlp_layer_types'] },
} as const satisfies Family

export const glmMoeDsa = {
  ...deepseekV32,
  title: 'GLM-5',
  notes: 'DeepSeek-V3.2 with an interleaved indexer; layers may take the choice of the last one that chose',
  modelTypes: ['glm_moe_dsa'],
  classes: ['GlmMoeDsa'],
  spec: (config) => {
    const model = readDeepseek(config, {
      maxTokens: 202_752,
      epsilon: 1e-5,
      latent: {
        queryRank: 2048,
        interleaved: true,
        value: 256,
        plain: 192,
        indexer: { heads: 32, interleaved: true },
      },
      mixture: { listed: true, experts: 256, perToken: 8, width: 2048, shared: 1, dense: 3, scaling: 2.5 },
    })
    const chooses = readChoosing(config, model.layers)
    const { latent } = model.attention
    const indexer = latent?.indexer
    if (latent === undefined || indexer === undefined) return model
    return {
      ...model,
      block: (layer) => ({
        ...model.block?.(layer),
        attention: { latent: { ...latent, indexer: { ...indexer, own: chooses(layer) } } },
      }),
    }
  },
  depth: { lists: ['layer_types', 'mlp_layer_types', 'indexer_types'] },
} as const satisfies Family

/** Layers with an indexer: listed, in a pattern of F and S, or every n-th from an offset on. The first one has one. */
function readChoosing(config: ConfigReader, layers: number): (layer: number) => boolean {
  const key = config.has('indexer_types') ? 'indexer_types' : 'index_topk_pattern'
  const written = config.isText(key) ? Array.from(config.text(key) ?? '') : config.list(key)
  if (written === undefined) {
    const every = Math.max(config.int('index_topk_freq', 1, { min: 0 }), 1)
    const offset = config.int('index_skip_topk_offset', 2, { min: 0 })
    return (layer) => Math.max(layer - offset + 1, 0) % every === 0
  }
  if (written.length < layers) throw config.refuse(key, `names ${written.length} layers`, layers)
  const own = written.map((type) => type === 'full' || type === 'F')
  if (own[0] !== true) throw config.refuse(key, 'begins with a layer that takes the choice of one before')
  return (layer) => own[layer] === true
}
