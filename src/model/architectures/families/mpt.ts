/** MPT (MosaicML 2023): linear biases instead of positions, norms and matrices without biases. */
import type { ConfigReader } from '../config-reader.ts'
import type { Family } from '../family.ts'
import { causalHead, scoreHead } from '../heads.ts'
import { readSizes } from '../sizes.ts'

const keys = {
  layers: ['n_layers', 'num_hidden_layers'],
  width: ['d_model', 'hidden_size'],
  heads: ['n_heads', 'num_attention_heads'],
} as const

export const mpt = {
  title: 'MPT',
  notes: 'alibi, fused [q | k | v] that may be clipped, no biases, tied head',
  modelTypes: ['mpt'],
  classes: ['Mpt', 'MPT'],
  spec: (config) => {
    const { layers, width, heads, vocabulary } = readSizes(config, keys)
    const attention = config.section('attn_config')
    checkSwitches(config, attention)
    const clip = attention?.optionalNumber('clip_qkv', { min: 0 })
    const scale = attention?.optionalNumber('softmax_scale')
    return {
      layers,
      width,
      vocabulary,
      causal: true,
      maxTokens: config.int(['max_seq_len', 'max_position_embeddings'], 2048),
      padId: config.optionalInt('pad_token_id', { min: -1 }),
      norm: { kind: 'layer', epsilon: config.epsilon('layer_norm_epsilon', 1e-5), weight: 'plain', bias: false },
      placement: 'before',
      attention: {
        heads,
        layout: 'qkv',
        clip: clip === 0 ? undefined : clip,
        bias: { qkv: false, out: false },
        positions: { kind: 'alibi', factor: 1, rounding: 'none' },
      },
      mlp: { kind: 'plain', activation: 'gelu', width: 4 * width, bias: false },
      ...(scale === undefined ? {} : { scale }),
      final: { norm: true },
      heads: { causal: causalHead({ tied: config.flag('tie_word_embeddings', true) }), sequence: scoreHead },
    }
  },
  prefixes: ['transformer.', ''],
  tensors: {
    'embed.token': 'wte.weight',
    'block.norm1': 'blocks.{i}.norm_1.*',
    'block.attention.qkv': 'blocks.{i}.attn.Wqkv.*',
    'block.attention.out': 'blocks.{i}.attn.out_proj.*',
    'block.norm2': 'blocks.{i}.norm_2.*',
    'block.mlp.in': 'blocks.{i}.ffn.up_proj.*',
    'block.mlp.out': 'blocks.{i}.ffn.down_proj.*',
    'final.norm': 'norm_f.*',
    'head.causal': { outside: 'lm_head.weight' },
    'head.sequence.out': { outside: 'score.*' },
  },
  depth: { count: keys.layers },
} as const satisfies Family

/** Switches of the original code, of which the reference computes one value whatever the config says. */
function checkSwitches(config: ConfigReader, attention: ConfigReader | undefined): void {
  const what = 'is built only as the reference computes it, which ignores the key'
  config.only('no_bias', [true], what)
  config.only('learned_pos_emb', [true, false], what)
  config.only('norm_type', ['low_precision_layernorm', 'layernorm'], what)
  config.only('expansion_ratio', [4], what)
  config.only('logit_scale', [], what)
  attention?.only('attn_type', ['multihead_attention'], what)
  attention?.only('prefix_lm', [false], what)
  attention?.only('qk_ln', [false], what)
  attention?.only('attn_uses_sequence_id', [false], what)
  attention?.only('alibi', [true], what)
  attention?.only('alibi_bias_max', [8], what)
}
