/** What encoder and decoder of the T5 family have in common: sizes, norms, buckets of distance, the MLP. */
import { activations, type Activation } from './activation.ts'
import type { ConfigReader } from './config-reader.ts'
import type { FamilySpec } from './family.ts'
import { limits, readSizes, readWidth } from './sizes.ts'

export const layerKeys = ['num_layers', 'num_hidden_layers'] as const

export interface T5Blocks extends FamilySpec {
  readonly attention: FamilySpec['attention'] & { readonly headWidth: number }
}

/** The encoder. `usual` is what `feed_forward_proj` stands for where it is left out. */
export function t5Spec(config: ConfigReader, usual: string): T5Blocks {
  const keys = { layers: layerKeys, width: ['d_model', 'hidden_size'], heads: ['num_heads', 'num_attention_heads'] }
  const { layers, width, heads, vocabulary } = readSizes(config, keys)
  const buckets = config.int('relative_attention_num_buckets', 32, { min: 4, max: 65_536 })
  const maxDistance = config.int('relative_attention_max_distance', 128, { max: 1_048_576 })
  if (maxDistance <= Math.floor(buckets / 4))
    throw config.refuse(
      'relative_attention_max_distance',
      'leaves no room for the logarithmic buckets',
      `> ${Math.floor(buckets / 4)}`,
    )
  const { gated, activation } = feedForward(config, usual)
  const inner = { activation, width: readWidth(config, 'd_ff'), bias: false }
  return {
    layers,
    width,
    vocabulary,
    causal: false,
    maxTokens: undefined,
    padId: config.int('pad_token_id', 0, { min: -1 }),
    norm: { kind: 'rms', epsilon: config.epsilon('layer_norm_epsilon', 1e-6), weight: 'plain', bias: false },
    placement: 'before',
    attention: {
      heads,
      headWidth: config.int('d_kv', 64, { max: limits.width }),
      bias: { qkv: false, out: false },
      positions: { kind: 'buckets', buckets, maxDistance, rows: buckets },
    },
    scale: 1,
    mlp: gated ? { kind: 'gated', layout: 'separate', ...inner } : { kind: 'plain', ...inner },
    final: { norm: true },
    heads: {},
  }
}

/**
 * `feed_forward_proj` is `act` or `gated-act`, where `gated-gelu` means the tanh approximation; what it implies may
 * stand in the config and then counts.
 */
function feedForward(config: ConfigReader, usual: string): { gated: boolean; activation: Activation } {
  const key = 'feed_forward_proj'
  const written = config.text(key) ?? usual
  const parts = written.split('-')
  const known = activations.get(parts.at(-1) ?? '')
  if (parts.length > 2 || (parts.length === 2 && parts[0] !== 'gated') || known === undefined) {
    throw config.refuse(key, 'is neither a known activation nor gated-<activation>', [...activations.keys()].join(', '))
  }
  const implied = written === 'gated-gelu' ? 'gelu_new' : known
  return {
    gated: config.flag('is_gated_act', parts[0] === 'gated'),
    activation: config.activation('dense_act_fn', implied),
  }
}
