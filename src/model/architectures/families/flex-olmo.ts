/** FlexOlmo (Shi et al. 2025): OLMo 2 with experts in every layer. */
import { expertRows, readExperts, readNormalized, softmaxRouting } from '../experts.ts'
import { readDecoder } from '../decoder.ts'
import type { Family } from '../family.ts'
import { olmo2 } from './olmo2.ts'

export const flexOlmo = {
  title: 'FlexOlmo',
  notes: "OLMo 2's norms; softmax over all experts, shares as they are unless norm_topk_prob",
  modelTypes: ['flex_olmo'],
  classes: ['FlexOlmo'],
  spec: (config) => {
    const decoder = readDecoder(config, { maxTokens: 4096, base: 500_000 })
    return {
      ...decoder,
      padId: config.int('pad_token_id', 100_277, { min: -1 }),
      placement: 'after',
      attention: { ...decoder.attention, queryKeyNorm: { over: 'all-heads', norm: decoder.norm } },
      mlp: readExperts(config, {
        activation: decoder.mlp.activation,
        routing: { ...softmaxRouting, normalized: readNormalized(config, false) },
        experts: [['num_experts', 'num_local_experts'], 7],
        perToken: ['num_experts_per_tok', 5],
        width: ['intermediate_size', 11_008],
      }),
    }
  },
  prefixes: olmo2.prefixes,
  tensors: { ...olmo2.tensors, ...expertRows('layers.{i}.mlp'), 'block.mlp.router': 'layers.{i}.mlp.gate.weight' },
} as const satisfies Family
