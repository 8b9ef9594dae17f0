/** RoFormer (Su et al. 2021): BERT with rotary positions in place of a table. */
import type { Family, FamilySpec } from '../family.ts'
import { denseClassifier, maskedHead } from '../heads.ts'
import { dividedWidth, limits } from '../sizes.ts'
import { bert } from './bert.ts'

export const roformer = {
  ...bert,
  title: 'RoFormer',
  notes:
    'as BERT, interleaved rotary positions, of values too where rotary_value says so; embeddings may be narrower; classifier of dense, activation, out',
  modelTypes: ['roformer'],
  classes: ['RoFormer'],
  spec: (config) => {
    const spec: FamilySpec = bert.spec(config)
    const { width, norm } = spec
    const headWidth = dividedWidth(config, width, spec.attention.heads)
    if (headWidth % 2 !== 0)
      throw config.refuse('num_attention_heads', `makes heads of ${headWidth} columns`, 'an even width')
    const embedding = config.optionalInt('embedding_size', { max: limits.width }) ?? width
    const activation = config.activation('hidden_act', 'gelu')
    const masked = maskedHead({ width: embedding, activation, norm, tied: config.flag('tie_word_embeddings', true) })
    return {
      ...spec,
      maxTokens: config.int('max_position_embeddings', 1536),
      embedding: {
        ...spec.embedding,
        width: embedding,
        positions: undefined,
        project: embedding === width ? undefined : { place: 'after-norm', bias: true },
      },
      attention: {
        ...spec.attention,
        headWidth,
        positions: {
          kind: 'rotary',
          tables: [{ width: headWidth, base: 10_000, interleaved: true, magnitude: 1, scaling: { kind: 'default' } }],
          values: config.flag('rotary_value', false),
        },
      },
      heads: { sequence: denseClassifier(width, activation), masked, causal: masked },
    }
  },
  prefixes: ['', 'roformer.'],
  tensors: {
    ...bert.tensors,
    // Sines and cosines that are computed.
    'embed.position': 'encoder.embed_positions.weight',
    'embed.project': 'embeddings_project.*',
    'head.sequence.dense': { outside: 'classifier.dense.*' },
    'head.sequence.out': { outside: 'classifier.out_proj.*' },
  },
} as const satisfies Family
