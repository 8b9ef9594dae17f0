/** ELECTRA (Clark et al. 2020): BERT with embeddings that may be narrower, no pooler. */
import type { Family } from '../family.ts'
import { denseClassifier, maskedHead } from '../heads.ts'
import { limits, readSizes, readWidth } from '../sizes.ts'
import { bert, bertAttended, bertEmbedding, bertNorm } from './bert.ts'

export const electra = {
  title: 'ELECTRA',
  notes:
    'as BERT, embeddings projected up after their norm where they are narrower, no pooler; classifier of dense, gelu, out on the first token',
  modelTypes: ['electra'],
  classes: ['Electra'],
  spec: (config) => {
    const { layers, width, heads, vocabulary } = readSizes(config)
    const norm = bertNorm(config)
    const rows = config.int('max_position_embeddings', 512)
    const embedding = config.int('embedding_size', 128, { max: limits.width })
    const masked = maskedHead({
      width: embedding,
      activation: 'gelu',
      norm,
      tied: config.flag('tie_word_embeddings', true),
    })
    return {
      layers,
      width,
      vocabulary,
      norm,
      causal: config.flag('is_decoder', false),
      maxTokens: rows,
      padId: config.int('pad_token_id', 0, { min: -1 }),
      embedding: {
        ...bertEmbedding(config, norm, { from: 'columns', rows }),
        width: embedding,
        project: embedding === width ? undefined : { place: 'after-norm', bias: true },
      },
      placement: 'after-add',
      attention: { heads, bias: { qkv: true, out: true }, positions: bertAttended(config, rows) },
      mlp: {
        kind: 'plain',
        activation: config.activation('hidden_act', 'gelu'),
        width: readWidth(config, 'intermediate_size'),
        bias: true,
      },
      heads: {
        sequence: denseClassifier(width, 'gelu'),
        masked,
        causal: masked,
      },
    }
  },
  prefixes: ['', 'electra.'],
  tensors: {
    ...bert.tensors,
    'embed.project': 'embeddings_project.*',
    'head.sequence.dense': { outside: 'classifier.dense.*' },
    'head.sequence.out': { outside: 'classifier.out_proj.*' },
    'head.masked.dense': { outside: 'generator_predictions.dense.*' },
    'head.masked.norm': { outside: 'generator_predictions.LayerNorm.*' },
    'head.masked.decoder': { outside: 'generator_lm_head.weight' },
    'head.masked.bias': { outside: 'generator_lm_head.bias' },
  },
} as const satisfies Family
