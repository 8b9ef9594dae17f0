/**
 * Falcon (Almazrouei et al. 2023) in its three styles: 7B (one key head), 40B (grouped keys, two norms), RW (alibi, one
 * half after the other).
 */
import type { ConfigReader } from '../config-reader.ts'
import type { Family } from '../family.ts'
import { causalHead, scoreHead } from '../heads.ts'
import { readRotary } from '../rotary.ts'
import { dividedWidth, limits, readSizes } from '../sizes.ts'
import type { AttentionSpec, NormPlacement } from '../spec.ts'

export const falcon = {
  title: 'Falcon',
  notes:
    '7B: multi-query, parallel, one norm; 40B: grouped keys, parallel, ln_attn and ln_mlp; RW: alibi counted from the mask (added once, as transformers does under sdpa), serial',
  modelTypes: ['falcon'],
  classes: ['Falcon'],
  spec: (config) => {
    const { layers, width, heads, vocabulary } = readSizes(config, { width: ['n_embed', 'hidden_size'] })
    const headWidth = dividedWidth(config, width, heads)
    const bias = config.flag('bias', false)
    const alibi = config.flag('alibi', false)
    return {
      layers,
      width,
      vocabulary,
      causal: true,
      maxTokens: alibi ? undefined : config.int('max_position_embeddings', 2048),
      padId: config.optionalInt('pad_token_id', { min: -1 }),
      norm: { kind: 'layer', epsilon: config.epsilon('layer_norm_epsilon', 1e-5), weight: 'plain', bias: true },
      placement: readPlacement(config),
      attention: {
        heads,
        headWidth,
        ...readFused(config, heads),
        bias: { qkv: bias, out: bias },
        // The biases were trained in bfloat16 and are scaled as the products are.
        positions: alibi
          ? { kind: 'alibi', factor: headWidth ** -0.5, rounding: 'bfloat16' }
          : { kind: 'rotary', tables: [readRotary(config, { headWidth })] },
      },
      mlp: {
        kind: 'plain',
        activation: config.activation('activation', 'gelu'),
        width: config.optionalInt('ffn_hidden_size', { max: limits.width }) ?? 4 * width,
        bias,
      },
      final: { norm: true },
      heads: { causal: causalHead({ tied: config.flag('tie_word_embeddings', true) }), sequence: scoreHead },
    }
  },
  prefixes: ['transformer.', ''],
  tensors: {
    'embed.token': 'word_embeddings.weight',
    'block.norm1': ['h.{i}.input_layernorm.*', 'h.{i}.ln_attn.*'],
    'block.norm2': ['h.{i}.post_attention_layernorm.*', 'h.{i}.ln_mlp.*'],
    'block.attention.qkv': 'h.{i}.self_attention.query_key_value.*',
    'block.attention.out': 'h.{i}.self_attention.dense.*',
    'block.mlp.in': 'h.{i}.mlp.dense_h_to_4h.*',
    'block.mlp.out': 'h.{i}.mlp.dense_4h_to_h.*',
    'final.norm': 'ln_f.*',
    'head.causal': { outside: 'lm_head.weight' },
    'head.sequence.out': { outside: 'score.*' },
  },
} as const satisfies Family

/** `new_decoder_architecture` is the 40B style; it is always parallel, with two norms unless one is asked for. */
function readPlacement(config: ConfigReader): NormPlacement {
  const grouped = config.flag('new_decoder_architecture', false)
  const parallel = config.flag('parallel_attn', true)
  const norms = config.optionalInt('num_ln_in_parallel_attn', { min: 0 })
  if (!grouped && !parallel) return 'before'
  if (!parallel)
    throw config.unsupported('parallel_attn', 'blocks of new_decoder_architecture are defined only in parallel')
  if (!grouped) {
    if (norms === 2)
      throw config.unsupported('num_ln_in_parallel_attn', 'two norms are defined only with new_decoder_architecture')
    return 'parallel-one-norm'
  }
  const count = norms ?? 2
  if (count !== 1 && count !== 2)
    throw config.unsupported('num_ln_in_parallel_attn', 'only one or two norms are defined')
  return count === 2 ? 'parallel' : 'parallel-one-norm'
}

/** `multi_query` is ignored by the 40B style, `num_kv_heads` by the 7B style. */
function readFused(config: ConfigReader, heads: number): Pick<AttentionSpec, 'keyHeads' | 'layout'> {
  const grouped = config.flag('new_decoder_architecture', false)
  if (!grouped && config.flag('multi_query', true)) return { keyHeads: 1, layout: 'qkv' }
  const keyHeads = config.int('num_kv_heads', heads, { max: limits.heads })
  if (grouped ? heads % keyHeads !== 0 : heads !== keyHeads)
    throw config.refuse('num_kv_heads', `does not fit ${heads} heads`)
  return { keyHeads, layout: 'qkv-by-head' }
}
