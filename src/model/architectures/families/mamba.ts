/** Mamba (Gu & Dao 2023): blocks of one selective state space each, without attention or MLP. */
import type { ConfigReader } from '../config-reader.ts'
import type { Family, FamilySpec } from '../family.ts'
import { causalHead } from '../heads.ts'
import { limits, readWidth } from '../sizes.ts'

export const mamba = {
  title: 'Mamba',
  notes:
    'selective state space, causal depthwise convolution, pads zeroed before and after it; hidden_states of transformers leave out the embeddings: ours is h + 1',
  modelTypes: ['mamba'],
  classes: ['Mamba'],
  spec: (config) => {
    const width = readWidth(config, 'hidden_size')
    return {
      width,
      layers: config.int('num_hidden_layers', undefined, { max: limits.layers }),
      vocabulary: config.int('vocab_size', undefined, { max: limits.vocabulary }),
      causal: true,
      maxTokens: undefined,
      padId: config.int('pad_token_id', 0, { min: -1 }),
      norm: { kind: 'rms', epsilon: config.epsilon('layer_norm_epsilon', 1e-5), weight: 'plain', bias: false },
      placement: 'before',
      ...absent,
      scan: {
        width: readInner(config, width),
        states: config.int('state_size', 16, { max: limits.width }),
        rank: config.isText('time_step_rank')
          ? readAuto(config, width)
          : config.int('time_step_rank', Math.ceil(width / 16), { max: limits.width }),
        kernel: config.int('conv_kernel', 4, { max: 1024 }),
        kernelBias: config.flag('use_conv_bias', true),
        bias: config.flag('use_bias', false),
        activation: config.activation('hidden_act', 'silu'),
      },
      final: { norm: true, lastState: 'raw' },
      stateNames: 'blocks-only',
      heads: { causal: causalHead({ tied: config.flag('tie_word_embeddings', true) }) },
    }
  },
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

/** No heads, no columns: what a block of scans does not have. */
const absent = {
  attention: { heads: 0, headWidth: 0, bias: { qkv: false, out: false }, positions: { kind: 'none' } },
  scale: 0,
  mlp: { kind: 'plain', activation: 'linear', width: 0, bias: false },
} as const satisfies Pick<FamilySpec, 'attention' | 'scale' | 'mlp'>

function readInner(config: ConfigReader, width: number): number {
  const inner =
    config.optionalInt('intermediate_size', { max: limits.width }) ??
    Math.floor(config.number('expand', 2, { min: 0 }) * width)
  if (inner < 1 || inner > limits.width) throw config.refuse('expand', `makes ${inner} columns`, `1 … ${limits.width}`)
  return inner
}

function readAuto(config: ConfigReader, width: number): number {
  config.choice('time_step_rank', ['auto'])
  return Math.ceil(width / 16)
}
