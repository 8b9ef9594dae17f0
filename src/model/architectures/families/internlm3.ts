/** InternLM 3 (Shanghai AI Laboratory 2025): LLaMA with other names in its config. */
import { readDecoder } from '../decoder.ts'
import type { Family } from '../family.ts'
import { llama } from './llama.ts'

export const internlm3 = {
  ...llama,
  title: 'InternLM 3',
  notes: 'as LLaMA; qkv_bias and bias are one switch',
  modelTypes: ['internlm3'],
  classes: ['InternLM3'],
  spec: (config) => {
    const decoder = readDecoder(config, {
      maxTokens: 32_768,
      padId: 2,
      keyHeads: 2,
      headWidth: 128,
      epsilon: 1e-5,
      biasKey: ['qkv_bias', 'attention_bias'],
      mlpBiasKey: ['bias', 'mlp_bias'],
    })
    if (decoder.attention.bias.qkv !== decoder.mlp.bias)
      throw config.unsupported('qkv_bias', 'differs from bias; the reference has one switch for all')
    return decoder
  },
} as const satisfies Family
