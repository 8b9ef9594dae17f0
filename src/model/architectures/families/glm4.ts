/** GLM-4-0414 (Z.ai 2025): GLM-4 with norms around both halves. */
import type { Family } from '../family.ts'
import { glm, readGlm } from './glm.ts'

export const glm4 = {
  title: 'GLM-4-0414',
  notes: 'as GLM-4 with norms before and after both halves',
  modelTypes: ['glm4'],
  classes: ['Glm4'],
  spec: (config) => ({ ...readGlm(config), placement: 'around' }),
  prefixes: glm.prefixes,
  tensors: {
    ...glm.tensors,
    'block.norm1.after': 'layers.{i}.post_self_attn_layernorm.*',
    'block.norm2.after': 'layers.{i}.post_mlp_layernorm.*',
  },
} as const satisfies Family
