/** OLMo (Groeneveld et al. 2024): LayerNorm without parameters, optionally clipped projections. */
import { readDecoder } from '../decoder.ts'
import type { Family } from '../family.ts'
import { llama } from './llama.ts'

export const olmo = {
  title: 'OLMo',
  notes: 'LayerNorm without weight or bias, q, k and v clipped to ±clip_qkv where set',
  modelTypes: ['olmo'],
  classes: ['Olmo'],
  spec: (config) => {
    const decoder = readDecoder(config, { maxTokens: 2048, padId: 1 })
    return {
      ...decoder,
      norm: { kind: 'layer', epsilon: 1e-5, weight: 'none', bias: false },
      attention: { ...decoder.attention, clip: config.optionalNumber('clip_qkv', { min: 1e-6 }) },
      mlp: { ...decoder.mlp, bias: false },
    }
  },
  prefixes: llama.prefixes,
  tensors: llama.tensors,
} as const satisfies Family
