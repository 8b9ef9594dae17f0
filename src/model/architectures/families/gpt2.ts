/** GPT-2 (Radford et al. 2019): pre-norm, learned positions, fused q/k/v, matrices stored [in, out]. */
import type { Family } from '../family.ts'
import { causalHead, scoreHead } from '../heads.ts'
import { dividedWidth, limits, readSizes } from '../sizes.ts'

const layerKeys = ['n_layer', 'num_hidden_layers'] as const

export const gpt2 = {
  title: 'GPT-2',
  notes:
    'learned positions, fused [q | k | v], Conv1D matrices [in, out], tied head; scale_attn_by_inverse_layer_idx is applied (transformers: eager attention only)',
  modelTypes: ['gpt2', 'gpt-sw3'],
  classes: ['GPT2'],
  spec: (config) => {
    const keys = { layers: layerKeys, width: ['n_embd', 'hidden_size'], heads: ['n_head', 'num_attention_heads'] }
    const { layers, width, heads, vocabulary } = readSizes(config, keys)
    const rows = config.int(['n_positions', 'max_position_embeddings'], 1024)
    const headWidth = dividedWidth(config, width, heads, keys.heads)
    const byLayer = config.flag('scale_attn_by_inverse_layer_idx', false)
    const scale = config.flag('scale_attn_weights', true) ? headWidth ** -0.5 : 1
    return {
      layers,
      width,
      vocabulary,
      causal: true,
      maxTokens: rows,
      padId: config.optionalInt('pad_token_id', { min: -1 }),
      embedding: { positions: { from: 'columns', rows } },
      norm: { kind: 'layer', epsilon: config.epsilon('layer_norm_epsilon', 1e-5), weight: 'plain', bias: true },
      placement: 'before',
      attention: { heads, headWidth, layout: 'qkv', bias: { qkv: true, out: true }, positions: { kind: 'none' } },
      mlp: {
        kind: 'plain',
        activation: config.activation('activation_function', 'gelu_new'),
        width: config.optionalInt('n_inner', { max: limits.width }) ?? 4 * width,
        bias: true,
      },
      block: (layer) => ({ scale: byLayer ? scale / (layer + 1) : scale }),
      final: { norm: true },
      heads: { causal: causalHead({ tied: config.flag('tie_word_embeddings', true) }), sequence: scoreHead },
    }
  },
  prefixes: ['transformer.', ''],
  tensors: {
    'embed.token': 'wte.weight',
    'embed.position': 'wpe.weight',
    'block.norm1': 'h.{i}.ln_1.*',
    'block.attention.qkv': 'h.{i}.attn.c_attn.*',
    'block.attention.out': 'h.{i}.attn.c_proj.*',
    'block.norm2': 'h.{i}.ln_2.*',
    'block.mlp.in': 'h.{i}.mlp.c_fc.*',
    'block.mlp.out': 'h.{i}.mlp.c_proj.*',
    'final.norm': 'ln_f.*',
    'head.causal': { outside: 'lm_head.weight' },
    'head.sequence.out': { outside: 'score.*' },
  },
  linear: 'in-out',
  depth: { count: layerKeys },
} as const satisfies Family
