/**
 * StableLM 2 (Bellagente et al. 2024): LayerNorm, partial rotary positions, optional norms of every head and parallel
 * branches.
 */
import { readDecoder } from '../decoder.ts'
import type { Family } from '../family.ts'
import type { NormSpec } from '../spec.ts'
import { llama } from './llama.ts'

export const stablelm = {
  title: 'StableLM',
  notes:
    'LayerNorm, rotary on a quarter of each head, optional q/k/v bias, optional norm of each q and k head, optional parallel residual',
  modelTypes: ['stablelm'],
  classes: ['StableLm'],
  spec: (config) => {
    const decoder = readDecoder(config, { maxTokens: 4096, keyHeads: 32, rotary: { fraction: 0.25 } })
    const norm: NormSpec = {
      kind: 'layer',
      epsilon: config.epsilon('layer_norm_eps', 1e-5),
      weight: 'plain',
      bias: true,
    }
    return {
      ...decoder,
      norm,
      placement: config.flag('use_parallel_residual', false) ? 'parallel-one-norm' : 'before',
      attention: {
        ...decoder.attention,
        bias: { qkv: config.flag('use_qkv_bias', false), out: false },
        queryKeyNorm: config.flag('qk_layernorm', false)
          ? { over: 'each-head', norm: { ...norm, bias: false } }
          : undefined,
      },
      mlp: { ...decoder.mlp, bias: false },
    }
  },
  prefixes: llama.prefixes,
  tensors: {
    ...llama.tensors,
    'block.attention.q.norm': 'layers.{i}.self_attn.q_layernorm.norms.{h}.*',
    'block.attention.k.norm': 'layers.{i}.self_attn.k_layernorm.norms.{h}.*',
  },
} as const satisfies Family
