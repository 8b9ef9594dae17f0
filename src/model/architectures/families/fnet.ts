/** FNet (Lee-Thorp et al. 2022): BERT whose attention is a Fourier transform. */
import type { Family } from '../family.ts'
import { maskedHead, poolerHead } from '../heads.ts'
import { noAttention } from '../recurs.ts'
import { limits, readWidth } from '../sizes.ts'
import { bert, bertNorm } from './bert.ts'

export const fnet = {
  ...bert,
  title: 'FNet',
  notes:
    'a Fourier transform over text and columns in place of attention; pads are tokens as others, as in transformers',
  modelTypes: ['fnet'],
  classes: ['FNet'],
  spec: (config) => {
    if (config.flag('use_tpu_fourier_optimizations', false))
      throw config.unsupported('use_tpu_fourier_optimizations', 'such transforms differ from those of shorter texts')
    const width = readWidth(config, 'hidden_size')
    const norm = bertNorm(config)
    const rows = config.int('max_position_embeddings', 512)
    const activation = config.activation('hidden_act', 'gelu_new')
    const pooler = poolerHead(width)
    return {
      width,
      norm,
      layers: config.int('num_hidden_layers', undefined, { max: limits.layers }),
      vocabulary: config.int('vocab_size', undefined, { max: limits.vocabulary }),
      causal: false,
      maxTokens: rows,
      padId: config.int('pad_token_id', 3, { min: -1 }),
      embedding: {
        tokenTypes: config.int('type_vocab_size', 4, { min: 0 }),
        positions: { from: 'columns', rows },
        norm,
        project: { place: 'after-norm', bias: true },
      },
      placement: 'after-add',
      attention: noAttention,
      scale: 0,
      scan: { kind: 'fourier' },
      mlp: { kind: 'plain', activation, width: readWidth(config, 'intermediate_size'), bias: true },
      heads: {
        pooler,
        sequence: {
          from: 'first',
          steps: [...pooler.steps, { do: 'linear', slot: 'head.sequence.out', out: 'labels', bias: true }],
        },
        masked: maskedHead({ width, activation, norm, tied: config.flag('tie_word_embeddings', true) }),
      },
    }
  },
  prefixes: ['', 'fnet.'],
  tensors: {
    ...bert.tensors,
    'embed.project': 'embeddings.projection.*',
    'block.norm1': 'encoder.layer.{i}.fourier.output.LayerNorm.*',
  },
} as const satisfies Family
