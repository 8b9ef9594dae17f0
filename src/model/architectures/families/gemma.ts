/** Gemma (Gemma Team 2024): embeddings times √width, norms of 1 + w, GeGLU, wide heads. */
import type { Activation } from '../activation.ts'
import type { ConfigReader } from '../config-reader.ts'
import { readDecoder } from '../decoder.ts'
import type { Family } from '../family.ts'
import type { NormSpec } from '../spec.ts'
import { llama } from './llama.ts'

export const gemma = {
  title: 'Gemma',
  notes:
    'embeddings multiplied by the root of the width, norms multiply by 1 + weight, GeGLU (`gelu` means its tanh approximation), tied head',
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
      mlp: { ...decoder.mlp, activation: readActivation(config, decoder.mlp.activation), bias: false },
      padId: config.int('pad_token_id', 0, { min: -1 }),
      embedding: { multiplier: Math.sqrt(decoder.width) },
    }
  },
  prefixes: llama.prefixes,
  tensors: llama.tensors,
} as const satisfies Family

/** The first configs say `gelu` and mean its tanh approximation (transformers `GemmaConfig`). */
function readActivation(config: ConfigReader, written: Activation): Activation {
  return config.text('hidden_act') === 'gelu' ? 'gelu_new' : written
}

/** The same norm, multiplying by 1 + weight. */
export function gemmaNorm(norm: NormSpec): NormSpec {
  return { ...norm, weight: 'plus-one' }
}
