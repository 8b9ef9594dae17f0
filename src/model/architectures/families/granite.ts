/** Granite 3 (Granite Team 2024): LLaMA with multipliers on embeddings, scores, branches and logits. */
import { readDecoder } from '../decoder.ts'
import type { Family } from '../family.ts'
import { causalHead, scoreHead } from '../heads.ts'
import { llama } from './llama.ts'

export const granite = {
  title: 'Granite',
  notes:
    'multipliers on embeddings, scores (in place of the root of the head width), branches; logits divided by logits_scaling',
  modelTypes: ['granite'],
  classes: ['Granite'],
  spec: (config) => {
    const decoder = readDecoder(config, { maxTokens: 2048 })
    const divisor = config.number('logits_scaling', 1)
    if (divisor === 0) throw config.refuse('logits_scaling', 'is zero')
    return {
      ...decoder,
      embedding: { multiplier: config.number('embedding_multiplier', 1) },
      residual: config.number('residual_multiplier', 1),
      scale: config.number('attention_multiplier', 1),
      heads: {
        causal: causalHead({
          tied: config.flag('tie_word_embeddings', false),
          after: [{ do: 'scale', by: 1 / divisor }],
        }),
        sequence: scoreHead,
      },
    }
  },
  prefixes: llama.prefixes,
  tensors: llama.tensors,
} as const satisfies Family
