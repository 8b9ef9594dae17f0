/** Persimmon (Adept 2023): LayerNorm, one matrix for q, k, v, norms on queries and keys, squared ReLU. */
import { layerNorm, plainMlp, readDecoder } from '../decoder.ts'
import type { Family } from '../family.ts'
import { llama } from './llama.ts'

export const persimmon = {
  title: 'Persimmon',
  notes: 'LayerNorm, fused q, k, v head by head, LayerNorm on q and k, rotary on half of each head, squared ReLU',
  modelTypes: ['persimmon'],
  classes: ['Persimmon'],
  spec: (config) => {
    const decoder = readDecoder(config, {
      maxTokens: 16_384,
      epsilonKey: 'layer_norm_eps',
      epsilon: 1e-5,
      activation: 'relu2',
      biasKey: [],
      bias: true,
      mlpBiasKey: [],
      mlpBias: true,
      rotary: { fraction: 0.5 },
    })
    const norm = layerNorm(decoder.norm)
    const { heads, keyHeads, headWidth } = decoder.attention
    if (heads !== keyHeads || heads * headWidth !== decoder.width)
      throw config.unsupported('num_key_value_heads', 'heads of this family share the width evenly, keys too')
    return {
      ...decoder,
      norm,
      attention: {
        ...decoder.attention,
        layout: 'qkv-by-head',
        queryKeyNorm: config.flag('qk_layernorm', true) ? { over: 'head', norm } : undefined,
      },
      mlp: plainMlp(decoder.mlp),
    }
  },
  prefixes: llama.prefixes,
  tensors: {
    ...llama.tensors,
    'block.attention.qkv': 'layers.{i}.self_attn.query_key_value.*',
    'block.attention.q.norm': 'layers.{i}.self_attn.q_layernorm.*',
    'block.attention.k.norm': 'layers.{i}.self_attn.k_layernorm.*',
    'block.attention.out': 'layers.{i}.self_attn.dense.*',
    'block.mlp.in': 'layers.{i}.mlp.dense_h_to_4h.*',
    'block.mlp.out': 'layers.{i}.mlp.dense_4h_to_h.*',
    'final.norm': 'final_layernorm.*',
  },
} as const satisfies Family
