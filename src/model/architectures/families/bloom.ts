/**
 * BLOOM (BigScience 2022): linear biases instead of positions, a norm over the embeddings, q/k/v interleaved by head.
 */
import type { Family } from '../family.ts'
import { causalHead, scoreHead } from '../heads.ts'
import { dividedWidth, readSizes } from '../sizes.ts'
import type { NormSpec } from '../spec.ts'

const layerKeys = ['num_hidden_layers', 'n_layer'] as const

export const bloom = {
  title: 'BLOOM',
  notes:
    'alibi counted from the mask, LayerNorm on embeddings, fused q/k/v interleaved by head, tied head; residuals before or after the norm',
  modelTypes: ['bloom'],
  classes: ['Bloom'],
  spec: (config) => {
    const keys = { layers: layerKeys, width: ['n_embed', 'hidden_size'], heads: ['num_attention_heads', 'n_head'] }
    const { layers, width, heads, vocabulary } = readSizes(config, keys)
    const norm: NormSpec = {
      kind: 'layer',
      epsilon: config.epsilon('layer_norm_epsilon', 1e-5),
      weight: 'plain',
      bias: true,
    }
    return {
      layers,
      width,
      vocabulary,
      norm,
      causal: true,
      maxTokens: undefined,
      padId: config.optionalInt('pad_token_id', { min: -1 }),
      embedding: { norm },
      placement: config.flag('apply_residual_connection_post_layernorm', false) ? 'normed-stream' : 'before',
      attention: {
        heads,
        headWidth: dividedWidth(config, width, heads, keys.heads),
        layout: 'qkv-by-head',
        bias: { qkv: true, out: true },
        positions: { kind: 'alibi', factor: 1, rounding: 'none' },
      },
      mlp: { kind: 'plain', activation: 'gelu_new', width: 4 * width, bias: true },
      final: { norm: true },
      heads: { causal: causalHead({ tied: config.flag('tie_word_embeddings', true) }), sequence: scoreHead },
    }
  },
  prefixes: ['transformer.', ''],
  tensors: {
    'embed.token': 'word_embeddings.weight',
    'embed.norm': 'word_embeddings_layernorm.*',
    'block.norm1': 'h.{i}.input_layernorm.*',
    'block.attention.qkv': 'h.{i}.self_attention.query_key_value.*',
    'block.attention.out': 'h.{i}.self_attention.dense.*',
    'block.norm2': 'h.{i}.post_attention_layernorm.*',
    'block.mlp.in': 'h.{i}.mlp.dense_h_to_4h.*',
    'block.mlp.out': 'h.{i}.mlp.dense_4h_to_h.*',
    'final.norm': 'ln_f.*',
    'head.causal': { outside: 'lm_head.weight' },
    'head.sequence.out': { outside: 'score.*' },
  },
  depth: { count: layerKeys },
} as const satisfies Family
