/** ERNIE 4.5 (Baidu 2025): LLaMA with interleaved rotary positions and one switch for all biases. */
import { interleaved, readDecoder } from '../decoder.ts'
import type { Family } from '../family.ts'
import { causalHead } from '../heads.ts'
import { llama } from './llama.ts'

export const ernie45 = {
  title: 'ERNIE 4.5',
  notes: 'interleaved rotary, use_bias for all projections, tied head',
  modelTypes: ['ernie4_5'],
  classes: ['Ernie4_5'],
  spec: (config) => {
    const decoder = readDecoder(config, {
      maxTokens: 131_072,
      tied: true,
      padId: 0,
      keyHeads: 2,
      headWidth: 128,
      epsilon: 1e-5,
      base: 500_000,
      biasKey: 'use_bias',
      mlpBiasKey: 'use_bias',
    })
    return {
      ...decoder,
      attention: interleaved(decoder),
      heads: { causal: causalHead({ tied: config.flag('tie_word_embeddings', true) }) },
    }
  },
  prefixes: llama.prefixes,
  tensors: llama.tensors,
} as const satisfies Family
