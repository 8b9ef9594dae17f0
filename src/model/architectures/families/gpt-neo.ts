/**
 * GPT-Neo (Black et al. 2021): learned positions, layers that see everything or a window in turn, scores that are not
 * scaled.
 */
import type { ConfigReader } from '../config-reader.ts'
import type { Family } from '../family.ts'
import { causalHead, scoreHead } from '../heads.ts'
import { dividedWidth, limits, readSizes } from '../sizes.ts'

const layerKeys = ['num_hidden_layers', 'num_layers'] as const

export const gptNeo = {
  title: 'GPT-Neo',
  notes: 'learned positions, global and local layers in turn, no scaling of scores, no q/k/v bias, tied head',
  modelTypes: ['gpt_neo'],
  classes: ['GPTNeo'],
  spec: (config) => {
    const keys = { layers: layerKeys, heads: ['num_attention_heads', 'num_heads'] }
    const { layers, width, heads, vocabulary } = readSizes(config, keys)
    const rows = config.int('max_position_embeddings', 2048)
    const window = config.int('window_size', 256)
    const types = attentionTypes(config, layers)
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
      attention: {
        heads,
        headWidth: dividedWidth(config, width, heads, keys.heads),
        bias: { qkv: false, out: true },
        positions: { kind: 'none' },
      },
      mlp: {
        kind: 'plain',
        activation: config.activation('activation_function', 'gelu_new'),
        width: config.optionalInt('intermediate_size', { max: limits.width }) ?? 4 * width,
        bias: true,
      },
      scale: 1,
      block: (layer) => ({ window: types[layer] === 'local' ? window : undefined }),
      final: { norm: true },
      heads: { causal: causalHead({ tied: config.flag('tie_word_embeddings', true) }), sequence: scoreHead },
    }
  },
  prefixes: ['transformer.', ''],
  tensors: {
    'embed.token': 'wte.weight',
    'embed.position': 'wpe.weight',
    'block.norm1': 'h.{i}.ln_1.*',
    'block.attention.q': 'h.{i}.attn.attention.q_proj.*',
    'block.attention.k': 'h.{i}.attn.attention.k_proj.*',
    'block.attention.v': 'h.{i}.attn.attention.v_proj.*',
    'block.attention.out': 'h.{i}.attn.attention.out_proj.*',
    'block.norm2': 'h.{i}.ln_2.*',
    'block.mlp.in': 'h.{i}.mlp.c_fc.*',
    'block.mlp.out': 'h.{i}.mlp.c_proj.*',
    'final.norm': 'ln_f.*',
    'head.causal': { outside: 'lm_head.weight' },
    'head.sequence.out': { outside: 'score.*' },
  },
  depth: {
    count: layerKeys,
    lists: ['attention_layers'],
    further: (blocks) => ({
      attention_types: [[blocks.map(({ window }) => (window === undefined ? 'global' : 'local')), 1]],
    }),
  },
} as const satisfies Family

type AttentionType = 'global' | 'local'

/**
 * One type per layer: `attention_layers` as written, or otherwise `attention_types`, a list of patterns, each with its
 * number of repeats.
 */
function attentionTypes(config: ConfigReader, layers: number): readonly AttentionType[] {
  const key = config.has('attention_layers') ? 'attention_layers' : 'attention_types'
  const types =
    config.list('attention_layers') ??
    (config.list('attention_types') ?? [[['global', 'local'], 12]]).flatMap((entry) => repeated(config, entry))
  if (types.length !== layers) throw config.refuse(key, `gives ${types.length} layers`, layers)
  return types.map((type) => {
    if (type !== 'global' && type !== 'local') throw config.unsupported(key, 'supports only global and local')
    return type
  })
}

function repeated(config: ConfigReader, entry: unknown): readonly unknown[] {
  const [pattern, times] = Array.isArray(entry) ? (entry as readonly unknown[]) : []
  if (
    !Array.isArray(pattern) ||
    typeof times !== 'number' ||
    !Number.isInteger(times) ||
    times < 0 ||
    times * pattern.length > limits.layers
  ) {
    throw config.refuse(
      'attention_types',
      'is not a list of patterns with how often they are repeated',
      '[[["global", "local"], 12]]',
    )
  }
  return Array.from({ length: times }, () => pattern as readonly unknown[]).flat()
}
