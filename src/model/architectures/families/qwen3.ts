/** Qwen3 (Yang et al. 2025): RMS norm on every query and key head before rotary positions. */
import { readDecoder } from '../decoder.ts'
import type { Family } from '../family.ts'
import { llama } from './llama.ts'
import { upperWindows } from './qwen2.ts'

export const qwen3 = {
  title: 'Qwen3',
  notes: 'RMS norm on q and k per head, head width of its own; sliding window as Qwen2',
  modelTypes: ['qwen3'],
  classes: ['Qwen3'],
  spec: (config) => {
    const decoder = readDecoder(config, { maxTokens: 32_768, keyHeads: 32, headWidth: 128 })
    return {
      ...decoder,
      attention: { ...decoder.attention, queryKeyNorm: { over: 'head', norm: decoder.norm } },
      mlp: { ...decoder.mlp, bias: false },
      block: upperWindows(config, decoder.layers),
    }
  },
  prefixes: llama.prefixes,
  tensors: {
    ...llama.tensors,
    'block.attention.q.norm': 'layers.{i}.self_attn.q_norm.*',
    'block.attention.k.norm': 'layers.{i}.self_attn.k_norm.*',
  },
} as const satisfies Family
