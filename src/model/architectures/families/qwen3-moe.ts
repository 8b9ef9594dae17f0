/** Qwen3-MoE (Yang et al. 2025): Qwen3 with experts, none of them shared. */
import { readDecoder } from '../decoder.ts'
import { denseWhere, expertRows, readExperts, readNormalized, softmaxRouting } from '../experts.ts'
import type { Family } from '../family.ts'
import { qwen3 } from './qwen3.ts'
import { readSparseStep } from './qwen2-moe.ts'

export const qwen3Moe = {
  title: 'Qwen3-MoE',
  notes: 'Qwen3 with experts as Qwen2-MoE, none shared; a window in every layer where use_sliding_window is on',
  modelTypes: ['qwen3_moe'],
  classes: ['Qwen3Moe'],
  spec: (config) => {
    const decoder = readDecoder(config, { maxTokens: 32_768, keyHeads: 4 })
    const dense = { ...decoder.mlp, bias: false }
    const sliding = config.flag('use_sliding_window', false) && !config.isNull('sliding_window')
    const window = sliding ? config.int('sliding_window', 4096) : undefined
    const denseAt = denseWhere(readSparseStep(config), dense)
    return {
      ...decoder,
      attention: { ...decoder.attention, queryKeyNorm: { over: 'head', norm: decoder.norm } },
      mlp: readExperts(config, {
        activation: dense.activation,
        routing: { ...softmaxRouting, normalized: readNormalized(config, false) },
        experts: [['num_experts', 'num_local_experts'], 128],
        perToken: ['num_experts_per_tok', 8],
        width: ['moe_intermediate_size', 768],
      }),
      block: (layer) => ({ ...denseAt(layer), window }),
    }
  },
  prefixes: qwen3.prefixes,
  tensors: { ...qwen3.tensors, ...expertRows('layers.{i}.mlp'), 'block.mlp.router': 'layers.{i}.mlp.gate.*' },
} as const satisfies Family
