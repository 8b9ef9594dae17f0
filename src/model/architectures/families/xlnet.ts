/** XLNet (Yang et al. 2019) as an encoder: Transformer-XL's relative positions, no memory, one stream. */
import type { Family } from '../family.ts'
import { causalHead } from '../heads.ts'
import { dividedWidth, readSizes, readWidth } from '../sizes.ts'

const keys = {
  layers: ['n_layer', 'num_hidden_layers'],
  width: ['d_model', 'hidden_size'],
  heads: ['n_head', 'num_attention_heads'],
  vocabulary: ['vocab_size', 'n_token'],
} as const

export const xlnet = {
  title: 'XLNet',
  notes:
    'sinusoids of distances, biases of content, position and segment, no memory and one stream; its sequence classifier reads the last column and is refused',
  modelTypes: ['xlnet'],
  classes: ['XLNet'],
  spec: (config) => {
    const { layers, width, heads, vocabulary } = readSizes(config, keys)
    const headWidth = dividedWidth(config, width, heads, keys.heads)
    if (config.int('d_head', headWidth) !== headWidth)
      throw config.refuse('d_head', 'is not d_model / n_head', headWidth)
    if (width % 2 !== 0) throw config.refuse('d_model', 'is odd, and sinusoids come in pairs')
    if (config.flag('bi_data', false))
      throw config.unsupported('bi_data', 'batches of both directions are not supported')
    if (config.choice('attn_type', ['bi', 'uni'], 'bi') === 'uni')
      throw config.unsupported('attn_type', 'texts that look back alone are not supported')
    const clamp = config.int('clamp_len', -1, { min: -1 })
    return {
      layers,
      width,
      vocabulary,
      causal: false,
      maxTokens: undefined,
      padId: config.int('pad_token_id', 5, { min: -1 }),
      norm: { kind: 'layer', epsilon: config.epsilon('layer_norm_eps', 1e-12), weight: 'plain', bias: true },
      placement: 'after-add',
      attention: {
        heads,
        headWidth,
        layout: 'separate-by-head',
        bias: { qkv: false, out: false },
        positions: { kind: 'relative-sinusoids', clamp: clamp > 0 ? clamp : undefined },
      },
      mlp: {
        kind: 'plain',
        activation: config.activation('ff_activation', 'gelu'),
        width: readWidth(config, 'd_inner'),
        bias: true,
      },
      heads: { causal: causalHead({ tied: config.flag('tie_word_embeddings', true), bias: true }) },
    }
  },
  prefixes: ['transformer.', ''],
  tensors: {
    'embed.token': 'word_embedding.weight',
    'block.attention.q': 'layer.{i}.rel_attn.q',
    'block.attention.k': 'layer.{i}.rel_attn.k',
    'block.attention.v': 'layer.{i}.rel_attn.v',
    'block.attention.out': 'layer.{i}.rel_attn.o',
    'block.attention.position.k': 'layer.{i}.rel_attn.r',
    'block.attention.content.bias': 'layer.{i}.rel_attn.r_w_bias',
    'block.attention.position.bias': 'layer.{i}.rel_attn.r_r_bias',
    'block.attention.segment.bias': 'layer.{i}.rel_attn.r_s_bias',
    'block.attention.segment': 'layer.{i}.rel_attn.seg_embed',
    'block.norm1': 'layer.{i}.rel_attn.layer_norm.*',
    'block.mlp.in': 'layer.{i}.ff.layer_1.*',
    'block.mlp.out': 'layer.{i}.ff.layer_2.*',
    'block.norm2': 'layer.{i}.ff.layer_norm.*',
    'head.causal': { outside: 'lm_loss.weight' },
    'head.causal.bias': { outside: 'lm_loss.bias' },
  },
  depth: { count: keys.layers },
} as const satisfies Family
