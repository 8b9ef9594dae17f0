/** Granite 3 (Granite Team 2024): LLaMA with multipliers on embeddings, scores, branches and logits. */
import type { ConfigReader } from '../config-reader.ts'
import { type Decoder, type DecoderDefaults, readDecoder } from '../decoder.ts'
import type { Family, FamilySpec } from '../family.ts'
import { causalHead, scoreHead } from '../heads.ts'
import { llama } from './llama.ts'

export const granite = {
  title: 'Granite',
  notes:
    'multipliers on embeddings, scores (in place of the root of the head width), branches; logits divided by logits_scaling',
  modelTypes: ['granite'],
  classes: ['Granite'],
  spec: (config) => {
    const decoder = readGranite(config, { maxTokens: 2048 })
    return { ...decoder, scale: config.number('attention_multiplier', 1), heads: dividedLogits(config, false) }
  },
  prefixes: llama.prefixes,
  tensors: llama.tensors,
} as const satisfies Family

/** A decoder with multipliers on embeddings and branches. */
export function readGranite(
  config: ConfigReader,
  defaults: DecoderDefaults,
): Decoder & Pick<FamilySpec, 'embedding' | 'residual'> {
  return {
    ...readDecoder(config, defaults),
    embedding: { multiplier: config.number('embedding_multiplier', 1) },
    residual: config.number('residual_multiplier', 1),
  }
}

/** Logits over `logits_scaling`. */
export function dividedLogits(
  config: ConfigReader,
  tied: boolean,
): Required<Pick<FamilySpec['heads'], 'causal' | 'sequence'>> {
  const divisor = config.number('logits_scaling', 1)
  if (divisor === 0) throw config.refuse('logits_scaling', 'is zero')
  return {
    causal: causalHead({
      tied: config.flag('tie_word_embeddings', tied),
      after: [{ do: 'scale', by: 1 / divisor }],
    }),
    sequence: scoreHead,
  }
}
