/** XGLM (Lin et al. 2021): scaled embeddings, sinusoidal positions, pre-norm. */
import type { Family } from '../family.ts'
import { causalHead } from '../heads.ts'
import { readSizes, readWidth } from '../sizes.ts'
import { opt } from './opt.ts'

const keys = {
  layers: ['num_layers', 'num_hidden_layers'],
  width: ['d_model', 'hidden_size'],
  heads: ['attention_heads', 'num_attention_heads'],
} as const

/** Rows in front of the first position, as OPT has them. */
const offset = 2

export const xglm = {
  title: 'XGLM',
  notes: 'sinusoidal positions from row 2 on, embeddings times √width, pre-norm, tied head',
  modelTypes: ['xglm'],
  classes: ['XGLM'],
  spec: (config) => {
    const { layers, width, heads, vocabulary } = readSizes(config, keys)
    const maxTokens = config.int('max_position_embeddings', 2048)
    const padId = config.int('pad_token_id', 1, { min: -1 })
    if (width % 2 !== 0 || width < 4)
      throw config.refuse(keys.width, 'leaves no room for as many sines as cosines', 'an even number from 4 on')
    return {
      layers,
      width,
      vocabulary,
      causal: true,
      maxTokens,
      padId,
      embedding: {
        multiplier: config.flag('scale_embedding', true) ? Math.sqrt(width) : 1,
        positions: {
          from: 'columns',
          rows: maxTokens + offset,
          offset,
          // The row of the pad id is zero, whichever position it is.
          sinusoids: { spacing: width / 2 - 1, zero: padId < offset ? undefined : padId },
        },
      },
      norm: { kind: 'layer', epsilon: 1e-5, weight: 'plain', bias: true },
      placement: 'before',
      attention: { heads, bias: { qkv: true, out: true }, positions: { kind: 'none' } },
      mlp: {
        kind: 'plain',
        activation: config.activation('activation_function', 'gelu'),
        width: readWidth(config, 'ffn_dim'),
        bias: true,
      },
      final: { norm: true },
      heads: { causal: causalHead({ tied: config.flag('tie_word_embeddings', true) }) },
    }
  },
  prefixes: ['model.', ''],
  tensors: { ...opt.tensors, 'final.norm': 'layer_norm.*' },
  depth: { count: keys.layers },
} as const satisfies Family
