/** GIT (Wang et al. 2022): BERT's blocks as a decoder behind a picture, which text alone does without. */
import type { Family } from '../family.ts'
import { causalHead } from '../heads.ts'
import { bert } from './bert.ts'

export const git = {
  title: 'GIT (text)',
  notes: 'as BERT without token types and pooler, causal; a head with bias; pictures are not read',
  modelTypes: ['git'],
  classes: ['Git'],
  spec: (config) => {
    const { embedding, ...rest } = bert.spec(config)
    return {
      ...rest,
      causal: true,
      maxTokens: config.int('max_position_embeddings', 1024),
      embedding: { ...embedding, tokenTypes: 0 },
      heads: { causal: causalHead({ tied: config.flag('tie_word_embeddings', false), bias: true }) },
    }
  },
  prefixes: ['git.', ''],
  tensors: {
    ...bert.tensors,
    'head.causal': { outside: 'output.weight' },
    'head.causal.bias': { outside: 'output.bias' },
  },
} as const satisfies Family
