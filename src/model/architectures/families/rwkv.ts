/** RWKV-4 (Peng et al. 2023): averages of values that decay by channel, and an MLP that reads two tokens. */
import type { Family } from '../family.ts'
import { causalHead } from '../heads.ts'
import { noAttention } from '../recurs.ts'
import { limits, readWidth } from '../sizes.ts'

export const rwkv = {
  title: 'RWKV-4',
  notes:
    'values averaged with weights that decay by channel, token shift, MLP behind a gate; states are halved every rescale_every blocks; the reference knows no mask, ours gives pads no weight; hidden_states as Mamba',
  modelTypes: ['rwkv'],
  classes: ['Rwkv'],
  spec: (config) => {
    const width = readWidth(config, 'hidden_size')
    const epsilon = config.epsilon('layer_norm_epsilon', 1e-5)
    if (epsilon !== 1e-5)
      throw config.unsupported('layer_norm_epsilon', 'differs from that of the final norm, 1e-5 in the reference')
    const norm = { kind: 'layer', epsilon, weight: 'plain', bias: true } as const
    const every = config.int('rescale_every', 6, { min: -limits.layers, max: limits.layers })
    return {
      width,
      layers: config.int('num_hidden_layers', undefined, { max: limits.layers }),
      vocabulary: config.int('vocab_size', undefined, { max: limits.vocabulary }),
      causal: true,
      maxTokens: undefined,
      padId: config.optionalInt('pad_token_id', { min: -1 }),
      norm,
      embedding: { norm },
      placement: 'before',
      attention: noAttention,
      scale: 0,
      mlp: {
        kind: 'receptance',
        activation: 'relu2',
        width: config.int('intermediate_size', 4 * width, { max: limits.width }),
        bias: false,
      },
      scan: { kind: 'weighted-average', width: config.int('attention_hidden_size', width, { max: limits.width }) },
      block: (layer) =>
        every > 0 ? { branches: 2 ** -Math.floor(layer / every), output: (layer + 1) % every === 0 ? 0.5 : 1 } : {},
      final: { norm: true, lastState: 'raw' },
      stateNames: 'blocks-only',
      heads: { causal: causalHead({ tied: config.flag('tie_word_embeddings', false) }) },
    }
  },
  prefixes: ['rwkv.', ''],
  tensors: {
    'embed.token': 'embeddings.weight',
    'embed.norm': 'blocks.0.pre_ln.*',
    'block.norm1': 'blocks.{i}.ln1.*',
    'block.scan.shift.k': 'blocks.{i}.attention.time_mix_key',
    'block.scan.shift.v': 'blocks.{i}.attention.time_mix_value',
    'block.scan.shift.gate': 'blocks.{i}.attention.time_mix_receptance',
    'block.scan.k': 'blocks.{i}.attention.key.*',
    'block.scan.v': 'blocks.{i}.attention.value.*',
    'block.scan.gate': 'blocks.{i}.attention.receptance.*',
    'block.scan.decay': 'blocks.{i}.attention.time_decay',
    'block.scan.skip': 'blocks.{i}.attention.time_first',
    'block.scan.out': 'blocks.{i}.attention.output.*',
    'block.norm2': 'blocks.{i}.ln2.*',
    'block.mlp.shift.in': 'blocks.{i}.feed_forward.time_mix_key',
    'block.mlp.shift.gate': 'blocks.{i}.feed_forward.time_mix_receptance',
    'block.mlp.in': 'blocks.{i}.feed_forward.key.*',
    'block.mlp.gate': 'blocks.{i}.feed_forward.receptance.*',
    'block.mlp.out': 'blocks.{i}.feed_forward.value.*',
    'final.norm': 'ln_out.*',
    'head.causal': { outside: 'head.weight' },
  },
} as const satisfies Family
