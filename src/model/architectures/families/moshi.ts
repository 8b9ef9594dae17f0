/** Moshi's main decoder (Défossez et al. 2024): LLaMA's blocks over text; codes of sound are not read. */
import { readDecoder } from '../decoder.ts'
import type { Family } from '../family.ts'
import { causalHead } from '../heads.ts'
import { llama } from './llama.ts'

export const moshi = {
  title: 'Moshi (text)',
  notes: 'as LLaMA, gate and up in one matrix; one row of the token table beyond the vocabulary; no window',
  modelTypes: ['moshi'],
  classes: ['Moshi'],
  spec: (config) => {
    const decoder = readDecoder(config, {
      maxTokens: 3000,
      epsilon: 1e-8,
      innerKey: 'ffn_dim',
      biasKey: [],
      mlpBiasKey: [],
    })
    const { width } = decoder.mlp
    if (width % 2 !== 0) throw config.refuse('ffn_dim', 'does not halve into gate and up', 'an even number')
    return {
      ...decoder,
      embedding: { rows: decoder.vocabulary + 1 },
      mlp: { ...decoder.mlp, layout: 'halves', width: width / 2 },
      heads: { causal: causalHead({ tied: config.flag('tie_word_embeddings', false) }) },
    }
  },
  prefixes: ['model.', 'decoder.model.', ''],
  tensors: {
    ...llama.tensors,
    'block.attention.q': 'layers.{i}.self_attn.q_proj.linear.*',
    'block.attention.k': 'layers.{i}.self_attn.k_proj.linear.*',
    'block.attention.v': 'layers.{i}.self_attn.v_proj.linear.*',
    'block.attention.out': 'layers.{i}.self_attn.o_proj.linear.*',
    'block.mlp.in': 'layers.{i}.mlp.fc1.*',
    'block.mlp.out': 'layers.{i}.mlp.fc2.*',
    'head.causal': { outside: ['lm_head.weight', 'decoder.lm_head.weight'] },
  },
} as const satisfies Family
