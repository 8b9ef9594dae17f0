/** RemBERT (Chung et al. 2021): BERT with narrow embeddings at the bottom and wide ones, of their own, at the top. */
import type { Family } from '../family.ts'
import { maskedHead } from '../heads.ts'
import { limits } from '../sizes.ts'
import { bert } from './bert.ts'

export const rembert = {
  title: 'RemBERT',
  notes: 'as BERT, embeddings mapped up after their norm, head over a vocabulary table of its own width, never tied',
  modelTypes: ['rembert'],
  classes: ['RemBert'],
  spec: (config) => {
    const { norm, mlp, embedding, ...rest } = bert.spec(config)
    const head = maskedHead({
      width: config.int('output_embedding_size', 1664, { max: limits.width }),
      activation: mlp.activation,
      norm,
      tied: false,
    })
    return {
      ...rest,
      norm,
      mlp,
      embedding: {
        ...embedding,
        width: config.int('input_embedding_size', 256, { max: limits.width }),
        project: { place: 'after-norm', bias: true },
      },
      heads: { ...rest.heads, masked: head, causal: head },
    }
  },
  prefixes: ['', 'rembert.'],
  tensors: {
    ...bert.tensors,
    'embed.project': 'encoder.embedding_hidden_mapping_in.*',
    'head.masked.dense': { outside: 'cls.predictions.dense.*' },
    'head.masked.norm': { outside: 'cls.predictions.LayerNorm.*' },
    'head.masked.bias': { outside: 'cls.predictions.decoder.bias' },
  },
} as const satisfies Family
