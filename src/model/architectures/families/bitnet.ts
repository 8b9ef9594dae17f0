/** BitNet b1.58 (Ma et al. 2025), unquantised: LLaMA with norms before both projections out, squared ReLU gates. */
import { readDecoder } from '../decoder.ts'
import type { Family } from '../family.ts'
import { causalHead } from '../heads.ts'
import { llama } from './llama.ts'

export const bitnet = {
  title: 'BitNet',
  notes: 'norms on what attention and MLP project out, gates of squared ReLU',
  modelTypes: ['bitnet'],
  classes: ['BitNet'],
  spec: (config) => {
    const decoder = readDecoder(config, {
      maxTokens: 2048,
      keyHeads: 5,
      epsilon: 1e-5,
      base: 500_000,
      activation: 'relu2',
    })
    if (decoder.attention.heads * decoder.attention.headWidth !== decoder.width)
      throw config.unsupported('head_dim', 'heads of this family share the width evenly')
    return {
      ...decoder,
      attention: { ...decoder.attention, outNorm: decoder.norm },
      mlp: { ...decoder.mlp, innerNorm: decoder.norm, bias: false },
      heads: { causal: causalHead({ tied: config.flag('tie_word_embeddings', false) }) },
    }
  },
  prefixes: llama.prefixes,
  tensors: {
    ...llama.tensors,
    'block.attention.out.norm': 'layers.{i}.self_attn.attn_sub_norm.*',
    'block.mlp.out.norm': 'layers.{i}.mlp.ffn_sub_norm.*',
  },
} as const satisfies Family
