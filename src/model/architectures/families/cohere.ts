/** Command R (Cohere 2024): parallel branches under one LayerNorm, interleaved rotary positions, scaled logits. */
import type { ConfigReader } from '../config-reader.ts'
import { type Decoder, interleaved, layerNorm, readDecoder } from '../decoder.ts'
import type { Family } from '../family.ts'
import { causalHead } from '../heads.ts'
import { llama } from './llama.ts'

export const cohere = {
  title: 'Command R (Cohere)',
  notes:
    'LayerNorm without bias, attention and MLP in parallel, interleaved rotary, logits times logit_scale, optional LayerNorm of each q and k head',
  modelTypes: ['cohere'],
  classes: ['Cohere'],
  spec: (config) => {
    const decoder = readCohere(config, 500_000)
    return {
      ...decoder,
      attention: {
        ...decoder.attention,
        queryKeyNorm: config.flag('use_qk_norm', false) ? { over: 'stacked-heads', norm: decoder.norm } : undefined,
      },
    }
  },
  prefixes: llama.prefixes,
  tensors: {
    ...llama.tensors,
    'block.attention.q.norm': 'layers.{i}.self_attn.q_norm.*',
    'block.attention.k.norm': 'layers.{i}.self_attn.k_norm.*',
  },
} as const satisfies Family

/** What Command R and its successor have in common. */
export function readCohere(config: ConfigReader, base: number | undefined): Decoder {
  const decoder = readDecoder(config, {
    maxTokens: 8192,
    tied: true,
    padId: 0,
    base,
    epsilonKey: 'layer_norm_eps',
    epsilon: 1e-5,
  })
  return {
    ...decoder,
    norm: layerNorm(decoder.norm, false),
    placement: 'parallel-one-norm',
    attention: interleaved(decoder),
    mlp: { ...decoder.mlp, bias: false },
    heads: {
      causal: causalHead({
        tied: config.flag('tie_word_embeddings', true),
        after: [{ do: 'scale', by: config.number('logit_scale', 0.0625) }],
      }),
    },
  }
}
