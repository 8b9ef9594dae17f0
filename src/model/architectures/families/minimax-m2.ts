/** MiniMax-M2 (MiniMax 2025): corrected sigmoid routing, norms over whole q and k, partial rotary. */
import { readDecoder } from '../decoder.ts'
import { expertRows, readExperts, softmaxRouting } from '../experts.ts'
import type { Family } from '../family.ts'
import { llama } from './llama.ts'
import { olmoe } from './olmoe.ts'

export const minimaxM2 = {
  title: 'MiniMax-M2',
  notes: 'RMS norm over whole q and k, rotary on the first rotary_dim columns; sigmoid routing with a correction',
  modelTypes: ['minimax_m2'],
  classes: ['MiniMaxM2'],
  spec: (config) => {
    const headWidth = config.int('head_dim', 128)
    const rotated = config.optionalInt('rotary_dim', { max: headWidth })
    const decoder = readDecoder(config, {
      maxTokens: 196_608,
      keyHeads: 8,
      headWidth,
      base: 5e6,
      rotary: rotated === undefined ? {} : { fraction: rotated / headWidth },
    })
    return {
      ...decoder,
      attention: {
        ...decoder.attention,
        bias: { qkv: false, out: false },
        queryKeyNorm: { over: 'all-heads', norm: decoder.norm },
      },
      mlp: readExperts(config, {
        activation: decoder.mlp.activation,
        routing: { ...softmaxRouting, scores: 'sigmoid', correction: true, normalized: 1 },
        experts: [['num_local_experts', 'num_experts'], 256],
        perToken: ['num_experts_per_tok', 8],
        width: ['intermediate_size', 1536],
      }),
    }
  },
  prefixes: llama.prefixes,
  tensors: {
    ...olmoe.tensors,
    ...expertRows('layers.{i}.block_sparse_moe', ['w1', 'w3', 'w2']),
    'block.mlp.router': 'layers.{i}.block_sparse_moe.gate.weight',
    'block.mlp.router.correction': 'layers.{i}.block_sparse_moe.e_score_correction_bias',
  },
} as const satisfies Family
