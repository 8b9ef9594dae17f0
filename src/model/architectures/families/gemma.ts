/** Gemma (Gemma Team 2024): embeddings times √width, norms of 1 + w, GeGLU, wide heads. */
import { readDecoder } from '../decoder.ts'
import type { Family } from '../family.ts'
import type { NormSpec } from '../spec.ts'
import { llama } from './llama.ts'

export const gemma = {
  title: 'Gemma',
  notes: 'embeddings multiplied by the root of the width, norms multiply by 1 + weight, GeGLU, tied head',
  modelTypes: ['gemma'],
  classes: ['Gemma'],
  spec: (config) => {
    const decoder = readDecoder(config, {
      maxTokens: 8192,
      tied: true,
      keyHeads: 16,
      headWidth: 256,
      activation: 'gelu_pytorch_tanh',
    })
    return {
      ...decoder,
      norm: gemmaNorm(decoder.norm),
      mlp: { ...decoder.mlp, bias: false },
      padId: config.int('pad_token_id', 0, { min: -1 }),
      embedding: { multiplier: Math.sqrt(decoder.width) },
    }
  },
  prefixes: llama.prefixes,
  tensors: llama.tensors,
} as const satisfies Family

/** The same norm, multiplying by 1 + weight. */
export function gemmaNorm(norm: NormSpec): NormSpec {
  return { ...norm, weight: 'plus-one' }
}
