/** LFM2-MoE (Liquid AI 2025): LFM2 with experts after the first layers. */
import { denseWhere, expertRows, readExperts, readNormalized, softmaxRouting } from '../experts.ts'
import type { Family } from '../family.ts'
import { lfm2, readLfm2 } from './lfm2.ts'

export const lfm2Moe = {
  title: 'LFM2-MoE',
  notes: 'LFM2 with sigmoid routing, a number per expert for the choice alone, dense first layers',
  modelTypes: ['lfm2_moe'],
  classes: ['Lfm2Moe'],
  spec: (config) => {
    const draft = readLfm2(config)
    const below = config.int('num_dense_layers', 2, { min: 0 })
    const denseAt = denseWhere((layer) => layer < below, draft.mlp)
    return {
      ...draft,
      mlp: readExperts(config, {
        activation: 'silu',
        routing: {
          ...softmaxRouting,
          scores: 'sigmoid',
          correction: config.flag('use_expert_bias', true),
          normalized: readNormalized(config, true),
          past: 1e-6,
          scaling: config.number('routed_scaling_factor', 1),
        },
        experts: [['num_experts', 'num_local_experts'], 32],
        perToken: ['num_experts_per_tok', 4],
        width: ['moe_intermediate_size', 1792],
      }),
      block: (layer) => ({ ...draft.block(layer), ...denseAt(layer) }),
      heads: { causal: draft.heads.causal },
    }
  },
  prefixes: lfm2.prefixes,
  tensors: {
    ...lfm2.tensors,
    'block.mlp.router': 'layers.{i}.feed_forward.gate.*',
    'block.mlp.router.correction': 'layers.{i}.feed_forward.expert_bias',
    ...expertRows('layers.{i}.feed_forward', ['w1', 'w3', 'w2']),
  },
} as const satisfies Family
