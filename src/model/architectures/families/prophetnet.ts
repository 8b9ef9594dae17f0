/** ProphetNet (Qi et al. 2020), its encoder: BART's with other names, positions from the pad id on. */
import type { Family } from '../family.ts'
import { dividedWidth, readSizes, readWidth } from '../sizes.ts'

const keys = {
  layers: ['num_encoder_layers', 'num_hidden_layers'],
  heads: ['num_encoder_attention_heads', 'num_attention_heads'],
} as const

export const prophetnet = {
  title: 'ProphetNet (encoder)',
  notes:
    'vectors of the encoder: post-norm, learned positions after the pad id; its decoder, which predicts n-grams, is not run',
  modelTypes: ['prophetnet'],
  classes: ['ProphetNet'],
  spec: (config) => {
    const { layers, width, heads, vocabulary } = readSizes(config, keys)
    const rows = config.int('max_position_embeddings', 512)
    const padId = config.int('pad_token_id', 0, { min: 0 })
    const maxTokens = rows - padId - 1
    if (maxTokens < 1) throw config.refuse('max_position_embeddings', `leaves no positions after the pad id ${padId}`)
    const norm = { kind: 'layer', epsilon: 1e-5, weight: 'plain', bias: true } as const
    return {
      layers,
      width,
      vocabulary,
      norm,
      maxTokens,
      padId,
      causal: false,
      embedding: { positions: { from: 'columns', rows, offset: padId + 1 }, norm },
      placement: 'after-add',
      attention: {
        heads,
        headWidth: dividedWidth(config, width, heads, keys.heads),
        bias: { qkv: true, out: true },
        positions: { kind: 'none' },
      },
      mlp: {
        kind: 'plain',
        activation: config.activation('activation_function', 'gelu'),
        width: readWidth(config, 'encoder_ffn_dim'),
        bias: true,
      },
      heads: {},
    }
  },
  prefixes: ['prophetnet.encoder.', 'encoder.', ''],
  tensors: {
    'embed.token': {
      outside: [
        'prophetnet.word_embeddings.weight',
        'word_embeddings.weight',
        'prophetnet.encoder.word_embeddings.weight',
        'encoder.word_embeddings.weight',
      ],
    },
    'embed.position': 'position_embeddings.weight',
    'embed.norm': 'embeddings_layer_norm.*',
    'block.attention.q': 'layers.{i}.self_attn.query_proj.*',
    'block.attention.k': 'layers.{i}.self_attn.key_proj.*',
    'block.attention.v': 'layers.{i}.self_attn.value_proj.*',
    'block.attention.out': 'layers.{i}.self_attn.out_proj.*',
    'block.norm1': 'layers.{i}.self_attn_layer_norm.*',
    'block.mlp.in': 'layers.{i}.feed_forward.intermediate.*',
    'block.mlp.out': 'layers.{i}.feed_forward.output.*',
    'block.norm2': 'layers.{i}.feed_forward_layer_norm.*',
  },
  depth: { count: keys.layers },
  encoderClass: 'ProphetNetEncoder',
} as const satisfies Family
