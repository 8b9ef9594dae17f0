/** Qwen1.5-MoE and Qwen2-MoE (Yang et al. 2024): Qwen2 with experts and one that every token passes, opened by a sigmoid. */
import type { ConfigReader } from '../config-reader.ts'
import { readDecoder } from '../decoder.ts'
import {
  denseWhere,
  expertRows,
  readExperts,
  readNormalized,
  sharedExpert,
  sharedRows,
  softmaxRouting,
} from '../experts.ts'
import type { Family } from '../family.ts'
import { layerTypes } from '../layer-types.ts'
import { limits } from '../sizes.ts'
import { llama } from './llama.ts'

export const qwen2Moe = {
  title: 'Qwen2-MoE',
  notes:
    'softmax over all experts, shares as they are unless norm_topk_prob; shared expert times a sigmoid; dense layers by mlp_only_layers and decoder_sparse_step',
  modelTypes: ['qwen2_moe'],
  classes: ['Qwen2Moe'],
  spec: (config) => {
    const decoder = readDecoder(config, { maxTokens: 32_768, keyHeads: 16 })
    const dense = { ...decoder.mlp, bias: false }
    const window = config.flag('use_sliding_window', false) ? config.int('sliding_window', 4096) : undefined
    const below = config.int('max_window_layers', 28, { min: 0 })
    const types = layerTypes(config, decoder.layers, (layer) =>
      window !== undefined && layer % 2 === 0 && layer < below ? 'sliding_attention' : 'full_attention',
    )
    if (window === undefined && types.includes('sliding_attention'))
      throw config.refuse('layer_types', 'has sliding layers, but use_sliding_window is off')
    const denseAt = denseWhere(readSparseStep(config), dense)
    return {
      ...decoder,
      attention: { ...decoder.attention, bias: { qkv: config.flag('qkv_bias', true), out: false } },
      mlp: readExperts(config, {
        activation: dense.activation,
        routing: { ...softmaxRouting, normalized: readNormalized(config, false) },
        experts: [['num_experts', 'num_local_experts'], 60],
        perToken: ['num_experts_per_tok', 4],
        width: ['moe_intermediate_size', 1408],
        shared: sharedExpert(config.int('shared_expert_intermediate_size', 5632, { max: limits.width }), {
          gated: true,
        }),
      }),
      block: (layer) => ({ ...denseAt(layer), window: types[layer] === 'sliding_attention' ? window : undefined }),
    }
  },
  prefixes: llama.prefixes,
  tensors: {
    ...llama.tensors,
    ...expertRows('layers.{i}.mlp'),
    ...sharedRows('layers.{i}.mlp.shared_expert'),
    'block.mlp.router': 'layers.{i}.mlp.gate.*',
    'block.mlp.shared.scale': 'layers.{i}.mlp.shared_expert_gate.*',
  },
} as const satisfies Family

/** Layers whose MLP is dense: those listed, and all but every n-th. */
export function readSparseStep(config: ConfigReader): (layer: number) => boolean {
  const listed = config.numbers('mlp_only_layers') ?? []
  const step = config.int('decoder_sparse_step', 1)
  return (layer) => listed.includes(layer) || (layer + 1) % step !== 0
}
