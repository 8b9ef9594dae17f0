/** Hunyuan V1 (Tencent 2025): LLaMA with norms on queries and keys after the rotation, a rotary base stretched by alpha. */
import { readDecoder } from '../decoder.ts'
import type { Family } from '../family.ts'
import { llama } from './llama.ts'

export const hunyuanV1Dense = {
  title: 'Hunyuan V1 (dense)',
  notes: 'RMS norm on q and k per head after the rotation, rotary base stretched by alpha of dynamic scaling',
  modelTypes: ['hunyuan_v1_dense'],
  classes: ['HunYuanDenseV1'],
  spec: (config) => {
    const decoder = readDecoder(config, { maxTokens: 2048, padId: 0, epsilon: 1e-5, rotary: { alpha: true } })
    return {
      ...decoder,
      attention: {
        ...decoder.attention,
        queryKeyNorm: { over: 'head', norm: decoder.norm, place: 'after-rotary' },
      },
      mlp: { ...decoder.mlp, bias: false },
    }
  },
  prefixes: llama.prefixes,
  tensors: {
    ...llama.tensors,
    'block.attention.q.norm': 'layers.{i}.self_attn.query_layernorm.*',
    'block.attention.k.norm': 'layers.{i}.self_attn.key_layernorm.*',
  },
} as const satisfies Family
