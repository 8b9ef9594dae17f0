/**
 * OPT (Zhang et al. 2022): learned positions counted from the mask, norms before or after, narrow embeddings in the
 * 350m model.
 */
import type { Family } from '../family.ts'
import { causalHead, scoreHead } from '../heads.ts'
import { limits, readSizes, readWidth } from '../sizes.ts'

/** Rows before the first position: the table was laid out for a pad id of 1. */
const offset = 2

export const opt = {
  title: 'OPT',
  notes:
    'positions from the mask with offset 2; the 350m form is post-norm with projections in and out of a narrower embedding, so that its last state is narrower',
  modelTypes: ['opt'],
  classes: ['OPT'],
  spec: (config) => {
    const { layers, width, heads, vocabulary } = readSizes(config)
    const maxTokens = config.int('max_position_embeddings', 2048)
    const embedding = config.optionalInt('word_embed_proj_dim', { max: limits.width }) ?? width
    const bias = config.flag('enable_bias', true)
    const affine = config.flag('layer_norm_elementwise_affine', true)
    const before = config.flag('do_layer_norm_before', true)
    return {
      layers,
      width,
      vocabulary,
      maxTokens,
      causal: true,
      padId: config.int('pad_token_id', 1, { min: -1 }),
      embedding: {
        width: embedding,
        positions: { from: 'mask', rows: maxTokens + offset, offset },
        project: embedding === width ? undefined : { place: 'before-positions', bias: false },
      },
      norm: { kind: 'layer', epsilon: 1e-5, weight: affine ? 'plain' : 'none', bias: affine },
      placement: before ? 'before' : 'after-add',
      attention: { heads, bias: { qkv: bias, out: bias }, positions: { kind: 'none' } },
      mlp: {
        kind: 'plain',
        activation: config.activation('activation_function', 'relu'),
        width: readWidth(config, 'ffn_dim'),
        bias,
      },
      final: {
        norm: before && !config.flag('_remove_final_layer_norm', false),
        project: embedding === width ? undefined : embedding,
      },
      heads: { causal: causalHead({ tied: config.flag('tie_word_embeddings', true) }), sequence: scoreHead },
    }
  },
  prefixes: ['model.decoder.', 'decoder.', ''],
  tensors: {
    'embed.token': 'embed_tokens.weight',
    'embed.position': 'embed_positions.weight',
    'embed.project': 'project_in.*',
    'block.norm1': 'layers.{i}.self_attn_layer_norm.*',
    'block.attention.q': 'layers.{i}.self_attn.q_proj.*',
    'block.attention.k': 'layers.{i}.self_attn.k_proj.*',
    'block.attention.v': 'layers.{i}.self_attn.v_proj.*',
    'block.attention.out': 'layers.{i}.self_attn.out_proj.*',
    'block.norm2': 'layers.{i}.final_layer_norm.*',
    'block.mlp.in': 'layers.{i}.fc1.*',
    'block.mlp.out': 'layers.{i}.fc2.*',
    'final.norm': 'final_layer_norm.*',
    'final.project': 'project_out.*',
    'head.causal': { outside: 'lm_head.weight' },
    'head.sequence.out': { outside: 'score.*' },
  },
} as const satisfies Family
