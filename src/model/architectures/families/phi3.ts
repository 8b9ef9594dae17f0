/** Phi-3 and Phi-4 mini (Abdin et al. 2024): fused projections, optional window, long rotary factors. */
import { readDecoder, readWindow } from '../decoder.ts'
import type { Family } from '../family.ts'
import { llama } from './llama.ts'

export const phi3 = {
  title: 'Phi-3',
  notes: 'fused [q | k | v] and [gate | up], sliding window, longrope by the longest sequence of the batch',
  modelTypes: ['phi3'],
  classes: ['Phi3'],
  spec: (config) => {
    const decoder = readDecoder(config, {
      maxTokens: 4096,
      epsilon: 1e-5,
      rotary: { aliases: { su: 'longrope', yarn: 'longrope' }, trainedLength: 4096 },
    })
    const window = readWindow(config, undefined)
    return {
      ...decoder,
      padId: config.int('pad_token_id', 32_000, { min: -1 }),
      attention: { ...decoder.attention, layout: 'qkv', bias: { qkv: false, out: false } },
      mlp: { ...decoder.mlp, layout: 'halves', bias: false },
      block: () => ({ window }),
    }
  },
  prefixes: llama.prefixes,
  tensors: {
    ...llama.tensors,
    'block.attention.qkv': 'layers.{i}.self_attn.qkv_proj.*',
    'block.mlp.in': 'layers.{i}.mlp.gate_up_proj.*',
  },
} as const satisfies Family
