/** CodeGen (Nijkamp et al. 2022): GPT-J with fused projections, laid out for four processors. */
import type { Family } from '../family.ts'
import { gptj } from './gptj.ts'

export const codegen = {
  ...gptj,
  title: 'CodeGen',
  notes: 'GPT-J with fused projections in four parts [q | v | k]',
  modelTypes: ['codegen'],
  classes: ['CodeGen'],
  spec: (config) => {
    const { heads, attention, ...rest } = gptj.spec(config)
    if (rest.width % 4 !== 0)
      throw config.refuse(['n_embd', 'hidden_size'], 'does not fall into four parts', 'a multiple of 4')
    return { ...rest, attention: { ...attention, layout: 'qvk-by-quarter' }, heads: { causal: heads.causal } }
  },
  tensors: { ...gptj.tensors, 'block.attention.qkv': 'h.{i}.attn.qkv_proj.*' },
} as const satisfies Family
