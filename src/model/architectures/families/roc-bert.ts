/** RoCBERT (Su et al. 2022): BERT that also knows how Chinese characters look and sound; both are row 0 for a bare text. */
import type { Family } from '../family.ts'
import { limits } from '../sizes.ts'
import type { FixedRow } from '../spec.ts'
import { bert } from './bert.ts'

export const rocBert = {
  title: 'RoCBERT',
  notes: 'as BERT, shape and pronunciation of every token 0 (as transformers without those ids), mapped with the token',
  modelTypes: ['roc_bert'],
  classes: ['RoCBert'],
  spec: (config) => {
    const spec = bert.spec(config)
    if (!config.flag('concat_input', true)) return spec
    const size = (key: string, usual: number): number => config.int(key, usual, { max: limits.vocabulary })
    const shape: FixedRow = {
      slot: 'embed.shape',
      rows: size('shape_vocab_size', 24_858),
      width: size('shape_embed_dim', 512),
    }
    const sound: FixedRow = {
      slot: 'embed.sound',
      rows: size('pronunciation_vocab_size', 910),
      width: size('pronunciation_embed_dim', 768),
    }
    const joined = [
      ...(config.flag('enable_shape', true) ? [shape] : []),
      ...(config.flag('enable_pronunciation', true) ? [sound] : []),
    ]
    return {
      ...spec,
      embedding: { ...spec.embedding, project: { place: 'before-positions', bias: true, joined } },
    }
  },
  prefixes: ['', 'roc_bert.'],
  tensors: {
    ...bert.tensors,
    'embed.project': 'embeddings.map_inputs_layer.*',
    'embed.shape': 'embeddings.shape_embed.weight',
    'embed.sound': 'embeddings.pronunciation_embed.weight',
  },
} as const satisfies Family
