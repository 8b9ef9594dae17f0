/** Mistral (Jiang et al. 2023): LLaMA with a sliding window in every layer. */
import { readDecoder, readWindow } from '../decoder.ts'
import type { Family } from '../family.ts'
import { llama } from './llama.ts'

export const mistral = {
  title: 'Mistral',
  notes: 'as LLaMA with a sliding window in every layer and no biases',
  modelTypes: ['mistral'],
  classes: ['Mistral'],
  spec: (config) => {
    const decoder = readDecoder(config, { maxTokens: 131_072, keyHeads: 8 })
    const window = readWindow(config, 4096)
    return {
      ...decoder,
      attention: { ...decoder.attention, bias: { qkv: false, out: false } },
      mlp: { ...decoder.mlp, bias: false },
      block: () => ({ window }),
    }
  },
  prefixes: llama.prefixes,
  tensors: llama.tensors,
} as const satisfies Family
