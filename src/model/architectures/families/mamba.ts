/** Mamba (Gu & Dao 2023): blocks of one selective state space each, without attention or MLP. */
import type { ConfigReader } from '../config-reader.ts'
import type { Family, FamilySpec } from '../family.ts'
import { causalHead } from '../heads.ts'
import { noAttention, noMlp } from '../recurs.ts'
import { limits, readWidth } from '../sizes.ts'
import type { MixerSpec } from '../mixer-spec.ts'
import type { BlockSpec } from '../spec.ts'
import { readAutomatic, readExpanded } from '../state-space.ts'

export const mamba = {
  title: 'Mamba',
  notes:
    'selective state space, causal depthwise convolution, pads zeroed before and after it; hidden_states of transformers leave out the embeddings: ours is h + 1',
  modelTypes: ['mamba'],
  classes: ['Mamba'],
  spec: (config) => readMamba(config),
  prefixes: ['backbone.', ''],
  tensors: {
    'embed.token': ['embeddings.weight', 'embedding.weight'],
    'block.norm1': 'layers.{i}.norm.*',
    'block.scan.in': 'layers.{i}.mixer.in_proj.*',
    'block.scan.convolution': 'layers.{i}.mixer.conv1d.*',
    'block.scan.select': 'layers.{i}.mixer.x_proj.*',
    'block.scan.step': 'layers.{i}.mixer.dt_proj.*',
    'block.scan.decay': 'layers.{i}.mixer.A_log',
    'block.scan.skip': 'layers.{i}.mixer.D',
    'block.scan.out': 'layers.{i}.mixer.out_proj.*',
    'final.norm': 'norm_f.*',
    'head.causal': { outside: 'lm_head.weight' },
  },
} as const satisfies Family

/** A model of Mamba's mixers; `scan` says what they have otherwise. */
export function readMamba(
  config: ConfigReader,
  scan: (width: number, norm: FamilySpec['norm']) => BlockSpec['scan'] = (width) => readSelective(config, width),
  { padId = 0, tied = true }: { readonly padId?: number; readonly tied?: boolean } = {},
): FamilySpec {
  const width = readWidth(config, 'hidden_size')
  const norm = {
    kind: 'rms',
    epsilon: config.epsilon('layer_norm_epsilon', 1e-5),
    weight: 'plain',
    bias: false,
  } as const
  return {
    width,
    layers: config.int('num_hidden_layers', undefined, { max: limits.layers }),
    vocabulary: config.int('vocab_size', undefined, { max: limits.vocabulary }),
    causal: true,
    maxTokens: undefined,
    padId: config.int('pad_token_id', padId, { min: -1 }),
    norm,
    placement: 'before',
    attention: noAttention,
    scale: 0,
    mlp: noMlp,
    scan: scan(width, norm),
    final: { norm: true, lastState: 'raw' },
    stateNames: 'blocks-only',
    heads: { causal: causalHead({ tied: config.flag('tie_word_embeddings', tied) }) },
  }
}

export function readSelective(config: ConfigReader, width: number): Extract<MixerSpec, { kind: 'selective' }> {
  return {
    kind: 'selective',
    width: config.optionalInt('intermediate_size', { max: limits.width }) ?? readExpanded(config, 'expand', width),
    states: config.int('state_size', 16, { max: limits.width }),
    rank: readAutomatic(config, 'time_step_rank', Math.ceil(width / 16)),
    kernel: config.int('conv_kernel', 4, { max: 1024 }),
    kernelBias: config.flag('use_conv_bias', true),
    bias: config.flag('use_bias', false),
    activation: config.activation('hidden_act', 'silu'),
    norm: undefined,
  }
}
