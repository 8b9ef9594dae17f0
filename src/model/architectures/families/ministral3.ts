/** Ministral 3 (Mistral AI 2025): Mistral with YaRN, and queries that grow with their position. */
import type { ConfigReader } from '../config-reader.ts'
import { readDecoder, readWindow } from '../decoder.ts'
import type { Family } from '../family.ts'
import { rotarySection } from '../rotary.ts'
import type { QueryTemperature } from '../spec.ts'
import { llama } from './llama.ts'

const usual = {
  rope_type: 'yarn',
  rope_theta: 1_000_000,
  factor: 16,
  original_max_position_embeddings: 16_384,
  beta_fast: 32,
  beta_slow: 1,
  mscale_all_dim: 1,
  mscale: 1,
  llama_4_scaling_beta: 0.1,
} as const

export const ministral3 = {
  title: 'Ministral 3',
  notes: 'as Mistral with YaRN; queries times 1 + β ln(1 + ⌊position / trained length⌋)',
  modelTypes: ['ministral3'],
  classes: ['Ministral3'],
  spec: (config) => {
    const decoder = readDecoder(config, {
      maxTokens: 262_144,
      padId: 11,
      keyHeads: 8,
      headWidth: 128,
      epsilon: 1e-5,
      rotary: { usual },
    })
    const window = readWindow(config, undefined)
    return {
      ...decoder,
      attention: { ...decoder.attention, bias: { qkv: false, out: false }, temperature: readTemperature(config) },
      mlp: { ...decoder.mlp, bias: false },
      block: () => ({ window }),
    }
  },
  prefixes: llama.prefixes,
  tensors: llama.tensors,
} as const satisfies Family

function readTemperature(config: ConfigReader): QueryTemperature {
  const section = rotarySection(config, { usual }) ?? config
  const length =
    section.optionalInt('original_max_position_embeddings') ?? config.int('max_position_embeddings', undefined)
  return { strength: section.number('llama_4_scaling_beta'), length, offset: 0 }
}
