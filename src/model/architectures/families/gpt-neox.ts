/**
 * GPT-NeoX and Pythia (Black et al. 2022): attention and MLP in parallel, rotary positions on a part of each head,
 * q/k/v interleaved by head.
 */
import type { Family } from '../family.ts'
import { causalHead, scoreHead } from '../heads.ts'
import { readRotary } from '../rotary.ts'
import { dividedWidth, readSizes, readWidth } from '../sizes.ts'

export const gptNeox = {
  title: 'GPT-NeoX, Pythia',
  notes:
    'parallel attention and MLP with a norm each (or one after the other), rotary on the first quarter of each head, fused q/k/v interleaved by head',
  modelTypes: ['gpt_neox'],
  classes: ['GPTNeoX'],
  spec: (config) => {
    const { layers, width, heads, vocabulary } = readSizes(config)
    const headWidth = dividedWidth(config, width, heads)
    const bias = config.flag('attention_bias', true)
    const rotary = readRotary(config, {
      headWidth,
      fraction: 0.25,
      fractionKey: ['rotary_pct', 'partial_rotary_factor'],
      baseKey: ['rotary_emb_base', 'rope_theta'],
    })
    return {
      layers,
      width,
      vocabulary,
      causal: true,
      maxTokens: config.int('max_position_embeddings', 2048),
      padId: config.optionalInt('pad_token_id', { min: -1 }),
      norm: { kind: 'layer', epsilon: config.epsilon('layer_norm_eps', 1e-5), weight: 'plain', bias: true },
      placement: config.flag('use_parallel_residual', true) ? 'parallel' : 'before',
      attention: {
        heads,
        headWidth,
        layout: 'qkv-by-head',
        bias: { qkv: bias, out: bias },
        positions: { kind: 'rotary', tables: [rotary] },
      },
      mlp: {
        kind: 'plain',
        activation: config.activation('hidden_act', 'gelu'),
        width: readWidth(config, 'intermediate_size'),
        bias: true,
      },
      final: { norm: true },
      heads: { causal: causalHead({ tied: config.flag('tie_word_embeddings', false) }), sequence: scoreHead },
    }
  },
  prefixes: ['gpt_neox.', ''],
  tensors: {
    'embed.token': 'embed_in.weight',
    'block.norm1': 'layers.{i}.input_layernorm.*',
    'block.attention.qkv': 'layers.{i}.attention.query_key_value.*',
    'block.attention.out': 'layers.{i}.attention.dense.*',
    'block.norm2': 'layers.{i}.post_attention_layernorm.*',
    'block.mlp.in': 'layers.{i}.mlp.dense_h_to_4h.*',
    'block.mlp.out': 'layers.{i}.mlp.dense_4h_to_h.*',
    'final.norm': 'final_layer_norm.*',
    'head.causal': { outside: 'embed_out.weight' },
    'head.sequence.out': { outside: 'score.*' },
  },
} as const satisfies Family
