/** OLMoE (Muennighoff et al. 2024): LLaMA with norms over all of q and k, and experts in every layer. */
import { readDecoder } from '../decoder.ts'
import { expertRows, readExperts, readNormalized, softmaxRouting } from '../experts.ts'
import type { Family } from '../family.ts'
import { llama } from './llama.ts'

export const olmoe = {
  title: 'OLMoE',
  notes:
    'RMS norm over whole q and k, then clip_qkv; softmax over all experts, shares as they are unless norm_topk_prob',
  modelTypes: ['olmoe'],
  classes: ['Olmoe'],
  spec: (config) => {
    const decoder = readDecoder(config, { maxTokens: 4096, epsilon: 1e-5 })
    return {
      ...decoder,
      padId: config.int('pad_token_id', 1, { min: -1 }),
      attention: {
        ...decoder.attention,
        queryKeyNorm: { over: 'all-heads', norm: decoder.norm },
        clip: config.optionalNumber('clip_qkv', { min: 0 }),
      },
      mlp: readExperts(config, {
        activation: decoder.mlp.activation,
        routing: { ...softmaxRouting, normalized: readNormalized(config, false) },
        experts: [['num_experts', 'num_local_experts'], 64],
        perToken: ['num_experts_per_tok', 8],
        width: ['intermediate_size', 2048],
      }),
    }
  },
  prefixes: llama.prefixes,
  tensors: {
    ...llama.tensors,
    ...expertRows('layers.{i}.mlp'),
    'block.mlp.router': 'layers.{i}.mlp.gate.*',
    'block.attention.q.norm': 'layers.{i}.self_attn.q_norm.*',
    'block.attention.k.norm': 'layers.{i}.self_attn.k_norm.*',
  },
} as const satisfies Family
