/** DiffLlama: LLaMA with differential attention (Ye et al. 2024). */
import { readDecoder } from '../decoder.ts'
import type { Family } from '../family.ts'
import { llama } from './llama.ts'

export const diffllama = {
  title: 'DiffLlama',
  notes: 'as LLaMA; half of the heads are subtracted from the other half, times a learned λ per block',
  modelTypes: ['diffllama'],
  classes: ['DiffLlama'],
  spec: (config) => {
    const decoder = readDecoder(config, { maxTokens: 2048, epsilon: 1e-5 })
    const { attention, norm } = decoder
    if (attention.keyHeads % 2 !== 0) throw config.unsupported('num_key_value_heads', 'the heads come in pairs')
    return {
      ...decoder,
      mlp: { ...decoder.mlp, bias: false },
      block: (layer) => ({
        attention: {
          differential: { start: 0.8 - 0.6 * Math.exp(-0.3 * layer), norm: { ...norm, weight: 'none' } },
        },
      }),
    }
  },
  prefixes: llama.prefixes,
  tensors: {
    ...llama.tensors,
    'block.attention.lambda.q1': 'layers.{i}.self_attn.lambda_q1',
    'block.attention.lambda.k1': 'layers.{i}.self_attn.lambda_k1',
    'block.attention.lambda.q2': 'layers.{i}.self_attn.lambda_q2',
    'block.attention.lambda.k2': 'layers.{i}.self_attn.lambda_k2',
  },
} as const satisfies Family
