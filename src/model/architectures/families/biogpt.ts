/** BioGPT (Luo et al. 2022): scaled embeddings, learned positions, pre-norm. */
import type { Family } from '../family.ts'
import { causalHead, scoreHead } from '../heads.ts'
import { readSizes, readWidth } from '../sizes.ts'
import { opt } from './opt.ts'

/** Rows in front of the first position, as OPT has them. */
const offset = 2

export const biogpt = {
  title: 'BioGPT',
  notes: 'learned positions from row 2 on, embeddings times √width, pre-norm, tied head',
  modelTypes: ['biogpt'],
  classes: ['BioGpt'],
  spec: (config) => {
    const { layers, width, heads, vocabulary } = readSizes(config)
    const maxTokens = config.int('max_position_embeddings', 1024)
    return {
      layers,
      width,
      vocabulary,
      causal: true,
      maxTokens,
      padId: config.isNull('pad_token_id') ? undefined : config.int('pad_token_id', 1, { min: -1 }),
      embedding: {
        multiplier: config.flag('scale_embedding', true) ? Math.sqrt(width) : 1,
        positions: { from: 'columns', rows: maxTokens + offset, offset },
      },
      // The class builds its norms with torch's epsilon; layer_norm_eps is read by nobody.
      norm: { kind: 'layer', epsilon: 1e-5, weight: 'plain', bias: true },
      placement: 'before',
      attention: { heads, bias: { qkv: true, out: true }, positions: { kind: 'none' } },
      mlp: {
        kind: 'plain',
        activation: config.activation('hidden_act', 'gelu'),
        width: readWidth(config, 'intermediate_size'),
        bias: true,
      },
      final: { norm: true },
      heads: { causal: causalHead({ tied: config.flag('tie_word_embeddings', true) }), sequence: scoreHead },
    }
  },
  prefixes: ['biogpt.', ''],
  tensors: {
    ...opt.tensors,
    'final.norm': 'layer_norm.*',
    'head.causal': { outside: 'output_projection.weight' },
  },
} as const satisfies Family
