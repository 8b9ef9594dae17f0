/** HyperCLOVA X SEED (NAVER 2025): Granite's multipliers, norms around both halves, logits multiplied. */
import type { Family } from '../family.ts'
import { causalHead } from '../heads.ts'
import { granite, readGranite } from './granite.ts'

export const hyperclovax = {
  title: 'HyperCLOVA X',
  notes: 'multipliers as Granite, logits multiplied by logits_scaling, optional norms on what both halves add',
  modelTypes: ['hyperclovax'],
  classes: ['HyperCLOVAX'],
  spec: (config) => {
    const decoder = readGranite(config, { maxTokens: 2048 })
    return {
      ...decoder,
      placement: config.flag('use_post_norm', true) ? 'around' : 'before',
      scale: config.number('attention_multiplier', decoder.attention.headWidth ** -0.5),
      heads: {
        causal: causalHead({
          tied: config.flag('tie_word_embeddings', false),
          after: [{ do: 'scale', by: config.number('logits_scaling', 1) }],
        }),
      },
    }
  },
  prefixes: granite.prefixes,
  tensors: {
    ...granite.tensors,
    'block.norm1.after': 'layers.{i}.post_norm1.*',
    'block.norm2.after': 'layers.{i}.post_norm2.*',
  },
} as const satisfies Family
