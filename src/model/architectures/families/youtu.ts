/** Youtu-LLM (Tencent 2025): latent attention without experts. */
import { readDecoder } from '../decoder.ts'
import type { Family } from '../family.ts'
import { latentRows, readLatent } from '../latent.ts'
import { llama } from './llama.ts'

export const youtu = {
  title: 'Youtu-LLM',
  notes: 'LLaMA with multi-head latent attention as DeepSeek-V3',
  modelTypes: ['youtu'],
  classes: ['Youtu'],
  spec: (config) => {
    const decoder = readDecoder(config, { maxTokens: 131_072, tied: true, headWidth: 64 })
    return {
      ...decoder,
      ...readLatent(config, decoder.attention.heads, { queryRank: 1536 }),
      mlp: { ...decoder.mlp, bias: false },
    }
  },
  prefixes: llama.prefixes,
  tensors: { ...llama.tensors, ...latentRows },
} as const satisfies Family
