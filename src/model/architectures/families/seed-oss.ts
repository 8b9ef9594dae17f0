/** Seed-OSS (ByteDance 2025): LLaMA with biases on q, k and v and wide heads. */
import { readDecoder } from '../decoder.ts'
import type { Family } from '../family.ts'
import { llama } from './llama.ts'

export const seedOss = {
  title: 'Seed-OSS',
  notes: 'as LLaMA with biases on q, k, v; one on the way out by attention_out_bias',
  modelTypes: ['seed_oss'],
  classes: ['SeedOss'],
  spec: (config) => {
    const decoder = readDecoder(config, { maxTokens: 524_288, padId: 1, keyHeads: 8, headWidth: 128, bias: true })
    const { bias } = decoder.attention
    return {
      ...decoder,
      attention: { ...decoder.attention, bias: { ...bias, out: config.flag('attention_out_bias', false) } },
    }
  },
  prefixes: llama.prefixes,
  tensors: llama.tensors,
} as const satisfies Family
