/** T5's encoder (Raffel et al. 2020): RMS norm, bucketed relative bias of the first layer, scores that are not scaled. */
import { activations, type Activation } from '../activation.ts'
import type { ConfigReader } from '../config-reader.ts'
import type { Family, FamilySpec } from '../family.ts'
import { limits, readSizes, readWidth } from '../sizes.ts'

const layerKeys = ['num_layers', 'num_hidden_layers'] as const

export const t5 = {
  title: 'T5 (encoder)',
  notes: 'the encoder alone, of encoder or whole checkpoints: RMS norm, relative bias of layer 0 for all layers, unscaled scores, plain or gated MLP',
  modelTypes: ['t5'],
  classes: ['T5'],
  spec: (config) => t5Spec(config, 'relu'),
  prefixes: ['', 'transformer.'],
  tensors: {
    'embed.token': ['shared.weight', 'encoder.embed_tokens.weight'],
    'relative.bias': 'encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight',
    'block.norm1': 'encoder.block.{i}.layer.0.layer_norm.*',
    'block.attention.q': 'encoder.block.{i}.layer.0.SelfAttention.q.*',
    'block.attention.k': 'encoder.block.{i}.layer.0.SelfAttention.k.*',
    'block.attention.v': 'encoder.block.{i}.layer.0.SelfAttention.v.*',
    'block.attention.out': 'encoder.block.{i}.layer.0.SelfAttention.o.*',
    'block.norm2': 'encoder.block.{i}.layer.1.layer_norm.*',
    'block.mlp.in': 'encoder.block.{i}.layer.1.DenseReluDense.wi.*',
    'block.mlp.gate': 'encoder.block.{i}.layer.1.DenseReluDense.wi_0.*',
    'block.mlp.up': 'encoder.block.{i}.layer.1.DenseReluDense.wi_1.*',
    'block.mlp.out': 'encoder.block.{i}.layer.1.DenseReluDense.wo.*',
    'final.norm': 'encoder.final_layer_norm.*',
  },
  depth: { count: layerKeys },
  encoderClass: 'T5EncoderModel',
} as const satisfies Family

/** `usual` is what `feed_forward_proj` stands for where it is left out. */
export function t5Spec(config: ConfigReader, usual: string): FamilySpec {
  const keys = { layers: layerKeys, width: ['d_model', 'hidden_size'], heads: ['num_heads', 'num_attention_heads'] }
  const { layers, width, heads, vocabulary } = readSizes(config, keys)
  const buckets = config.int('relative_attention_num_buckets', 32, { min: 4, max: 65_536 })
  const maxDistance = config.int('relative_attention_max_distance', 128, { max: 1_048_576 })
  if (maxDistance <= Math.floor(buckets / 4))
    throw config.refuse('relative_attention_max_distance', 'leaves no room for the logarithmic buckets', `> ${Math.floor(buckets / 4)}`)
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

/** `feed_forward_proj` is `act` or `gated-act`, where `gated-gelu` means the tanh approximation; what it implies may stand in the config and then counts. */
function feedForward(config: ConfigReader, usual: string): { gated: boolean; activation: Activation } {
  const key = 'feed_forward_proj'
  const written = config.text(key) ?? usual
  const parts = written.split('-')
  const known = activations.get(parts.at(-1) ?? '')
  if (parts.length > 2 || (parts.length === 2 && parts[0] !== 'gated') || known === undefined) {
    throw config.refuse(key, 'is neither a known activation nor gated-<activation>', [...activations.keys()].join(', '))
  }
  const implied = written === 'gated-gelu' ? 'gelu_new' : known
  return { gated: config.flag('is_gated_act', parts[0] === 'gated'), activation: config.activation('dense_act_fn', implied) }
}
