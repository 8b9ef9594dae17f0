/** LLaMA (Touvron et al. 2023): RMS norm, rotary positions, grouped keys, SwiGLU. */
import type { Family } from '../family.ts'
import { causalHead, scoreHead } from '../heads.ts'
import { readRotary } from '../rotary.ts'
import { readGroupedHeads, readSizes, readWidth } from '../sizes.ts'
import type { SlotNames } from '../spec.ts'

export const llama = {
  title: 'LLaMA',
  notes: 'RMS norm, rotary positions in every scaling (linear, dynamic, yarn, llama3, longrope), grouped keys, SwiGLU',
  modelTypes: ['llama'],
  classes: ['Llama'],
  spec: (config) => {
    const sizes = readSizes(config)
    const { layers, width, heads, vocabulary } = sizes
    const { keyHeads, headWidth } = readGroupedHeads(config, sizes)
    const bias = config.flag('attention_bias', false)
    return {
      layers,
      width,
      vocabulary,
      causal: true,
      maxTokens: config.int('max_position_embeddings', 2048),
      padId: config.optionalInt('pad_token_id', { min: -1 }),
      norm: { kind: 'rms', epsilon: config.epsilon('rms_norm_eps', 1e-6), weight: 'plain', bias: false },
      placement: 'before',
      attention: { heads, keyHeads, headWidth, bias: { qkv: bias, out: bias }, positions: { kind: 'rotary', tables: [readRotary(config, { headWidth })] } },
      mlp: {
        kind: 'gated',
        layout: 'separate',
        activation: config.activation('hidden_act', 'silu'),
        width: readWidth(config, 'intermediate_size'),
        bias: config.flag('mlp_bias', false),
      },
      final: { norm: true },
      heads: { causal: causalHead({ tied: config.flag('tie_word_embeddings', false) }), sequence: scoreHead },
    }
  },
  prefixes: ['model.', ''],
  tensors: {
    'embed.token': 'embed_tokens.weight',
    'block.norm1': 'layers.{i}.input_layernorm.*',
    'block.attention.q': 'layers.{i}.self_attn.q_proj.*',
    'block.attention.k': 'layers.{i}.self_attn.k_proj.*',
    'block.attention.v': 'layers.{i}.self_attn.v_proj.*',
    'block.attention.out': 'layers.{i}.self_attn.o_proj.*',
    'block.norm2': 'layers.{i}.post_attention_layernorm.*',
    'block.mlp.gate': 'layers.{i}.mlp.gate_proj.*',
    'block.mlp.up': 'layers.{i}.mlp.up_proj.*',
    'block.mlp.out': 'layers.{i}.mlp.down_proj.*',
    'final.norm': 'norm.*',
    'head.causal': { outside: 'lm_head.weight' },
    'head.sequence.out': { outside: 'score.*' },
  } satisfies SlotNames,
} as const satisfies Family
