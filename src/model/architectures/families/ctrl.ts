/** CTRL (Keskar et al. 2019): scaled embeddings, sinusoidal positions, pre-norm. */
import type { Family } from '../family.ts'
import { causalHead, scoreHead } from '../heads.ts'
import { readSizes, readWidth } from '../sizes.ts'

const keys = {
  layers: ['n_layer', 'num_hidden_layers'],
  width: ['n_embd', 'hidden_size'],
  heads: ['n_head', 'num_attention_heads'],
} as const

/** Epsilon of the blocks' norms, whatever the config says. */
const epsilon = 1e-6

export const ctrl = {
  title: 'CTRL',
  notes: 'sinusoidal positions, embeddings times √width, pre-norm, tied head with bias',
  modelTypes: ['ctrl'],
  classes: ['CTRL'],
  spec: (config) => {
    const { layers, width, heads, vocabulary } = readSizes(config, keys)
    const rows = config.int(['n_positions', 'max_position_embeddings'], 256)
    if (width % 2 !== 0)
      throw config.refuse(keys.width, 'leaves no room for as many sines as cosines', 'an even number')
    if (config.epsilon('layer_norm_epsilon', epsilon) !== epsilon)
      throw config.unsupported(
        'layer_norm_epsilon',
        `the blocks have ${epsilon}, and the final norm must have the same`,
      )
    return {
      layers,
      width,
      vocabulary,
      causal: true,
      maxTokens: rows,
      padId: config.optionalInt('pad_token_id', { min: -1 }),
      embedding: {
        multiplier: Math.sqrt(width),
        positions: { from: 'columns', rows, sinusoids: { spacing: width / 2, zero: undefined } },
      },
      norm: { kind: 'layer', epsilon, weight: 'plain', bias: true },
      placement: 'before',
      attention: { heads, bias: { qkv: true, out: true }, positions: { kind: 'none' } },
      mlp: { kind: 'plain', activation: 'relu', width: readWidth(config, 'dff'), bias: true },
      final: { norm: true },
      heads: {
        causal: causalHead({ tied: config.flag('tie_word_embeddings', true), bias: true }),
        sequence: scoreHead,
      },
    }
  },
  prefixes: ['transformer.', ''],
  tensors: {
    'embed.token': 'w.weight',
    'block.norm1': 'h.{i}.layernorm1.*',
    'block.attention.q': 'h.{i}.multi_head_attention.Wq.*',
    'block.attention.k': 'h.{i}.multi_head_attention.Wk.*',
    'block.attention.v': 'h.{i}.multi_head_attention.Wv.*',
    'block.attention.out': 'h.{i}.multi_head_attention.dense.*',
    'block.norm2': 'h.{i}.layernorm2.*',
    'block.mlp.in': 'h.{i}.ffn.0.*',
    'block.mlp.out': 'h.{i}.ffn.2.*',
    'final.norm': 'layernorm.*',
    'head.causal': { outside: 'lm_head.weight' },
    'head.causal.bias': { outside: 'lm_head.bias' },
    'head.sequence.out': { outside: 'classifier.*' },
  },
  depth: { count: keys.layers },
} as const satisfies Family
