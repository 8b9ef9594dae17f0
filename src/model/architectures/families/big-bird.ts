/** BigBird (Zaheer et al. 2020) at lengths where it attends to everything: BERT with biases that may be left out. */
import type { Family, FamilySpec } from '../family.ts'
import { denseClassifier, maskedHead } from '../heads.ts'
import { sparseTokens } from '../sparse-tokens.ts'
import { bert } from './bert.ts'

export const bigBird = {
  ...bert,
  title: 'BigBird',
  notes:
    'as BERT, classifier of dense, activation, out; block_sparse attention up to the length below which the reference attends to everything',
  modelTypes: ['big_bird'],
  classes: ['BigBird'],
  spec: (config) => {
    const spec: FamilySpec = bert.spec(config)
    const { width, norm } = spec
    const rows = config.int('max_position_embeddings', 4096)
    const activation = config.activation('hidden_act', 'gelu_new')
    const masked = maskedHead({ width, activation, norm, tied: config.flag('tie_word_embeddings', true) })
    return {
      ...spec,
      maxTokens: sparseTokens(config, rows),
      embedding: {
        ...spec.embedding,
        positions: { from: 'columns', rows },
        multiplier: config.flag('rescale_embeddings', false) ? Math.sqrt(width) : 1,
      },
      attention: {
        ...spec.attention,
        bias: { qkv: config.flag('use_bias', true), out: true },
        positions: { kind: 'none' },
      },
      mlp: { kind: 'plain', activation, width: spec.mlp.width, bias: true },
      heads: { ...spec.heads, sequence: denseClassifier(width, activation), masked, causal: masked },
    }
  },
  prefixes: ['', 'bert.'],
  tensors: {
    ...bert.tensors,
    pooler: 'pooler.*',
    'head.sequence.dense': { outside: 'classifier.dense.*' },
    'head.sequence.out': { outside: 'classifier.out_proj.*' },
  },
} as const satisfies Family
