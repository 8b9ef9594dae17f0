/** Mistral Small 4 (Mistral AI 2026): DeepSeek's latent attention, softmax routing, queries that grow with their position. */
import { readMixture } from '../corrected-mixture.ts'
import { readDecoder } from '../decoder.ts'
import type { Family } from '../family.ts'
import { readLatent } from '../latent.ts'
import { rotarySection } from '../rotary.ts'
import { deepseekV3 } from './deepseek-v3.ts'

const usual = {
  rope_type: 'yarn',
  rope_theta: 10_000,
  factor: 128,
  original_max_position_embeddings: 8192,
  beta_fast: 32,
  beta_slow: 1,
  mscale_all_dim: 1,
  mscale: 1,
  llama_4_scaling_beta: 0.1,
} as const

export const mistral4 = {
  title: 'Mistral Small 4',
  notes:
    'multi-head latent attention, queries times 1 + β ln(1 + ⌊position / trained length⌋); softmax routing within the best groups, shared experts, dense first layers',
  modelTypes: ['mistral4'],
  classes: ['Mistral4'],
  spec: (config) => {
    const rotary = { usual }
    const decoder = readDecoder(config, { maxTokens: 1_048_576, padId: 11, headWidth: 128, rotary })
    const section = rotarySection(config, { usual }) ?? config
    const { attention, scale } = readLatent(config, decoder.attention.heads, {
      queryRank: 1024,
      rank: 256,
      plain: 64,
      ofWhole: true,
      rotary,
    })
    return {
      ...decoder,
      scale,
      attention: {
        ...attention,
        temperature: {
          strength: section.number('llama_4_scaling_beta'),
          length: section.int('original_max_position_embeddings'),
          offset: 0,
        },
      },
      ...readMixture(
        config,
        { ...decoder, mlp: { ...decoder.mlp, bias: false } },
        {
          experts: 128,
          perToken: 4,
          width: 2048,
          shared: 1,
          routing: { scores: 'softmax', correction: false },
        },
      ),
    }
  },
  prefixes: deepseekV3.prefixes,
  tensors: deepseekV3.tensors,
} as const satisfies Family
