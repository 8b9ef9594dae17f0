/** BERT for generation (Rothe et al. 2020): BERT without token types and pooler, a bare head on top. */
import type { Family } from '../family.ts'
import { causalHead } from '../heads.ts'
import { bert } from './bert.ts'

export const bertGeneration = {
  title: 'BertGeneration',
  notes: 'as BERT without token types and pooler; causal where is_decoder says so, head of one matrix with bias',
  modelTypes: ['bert-generation'],
  classes: ['BertGeneration'],
  spec: (config) => {
    const { embedding, ...rest } = bert.spec(config)
    return {
      ...rest,
      embedding: { ...embedding, tokenTypes: 0 },
      heads: { causal: causalHead({ tied: config.flag('tie_word_embeddings', true), bias: true }) },
    }
  },
  prefixes: bert.prefixes,
  tensors: {
    ...bert.tensors,
    'head.causal': { outside: 'lm_head.decoder.weight' },
    'head.causal.bias': { outside: ['lm_head.bias', 'lm_head.decoder.bias'] },
  },
} as const satisfies Family
