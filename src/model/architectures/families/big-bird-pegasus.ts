/** BigBird-Pegasus (Zaheer et al. 2020), its encoder: Pegasus with learned positions and attention that may be sparse. */
import { bartSpec, bartTensors } from '../bart-blocks.ts'
import type { Family } from '../family.ts'
import { sparseTokens } from '../sparse-tokens.ts'

const wiring = {
  norms: 'before',
  embeddingNorm: false,
  finalNorm: true,
  positions: 0,
  maxTokens: 4096,
  padId: 0,
  scaled: true,
  activation: 'gelu_new',
} as const

export const bigBirdPegasus = {
  title: 'BigBird-Pegasus (encoder)',
  notes:
    'as Pegasus, learned positions; block_sparse attention up to the length below which the reference attends to everything',
  modelTypes: ['bigbird_pegasus'],
  classes: ['BigBirdPegasus'],
  spec: (config) => {
    const spec = bartSpec(config, 'encoder', wiring)
    const bias = config.flag('use_bias', false)
    return {
      ...spec,
      maxTokens: sparseTokens(config, config.int('max_position_embeddings', wiring.maxTokens)),
      attention: { ...spec.attention, bias: { qkv: bias, out: bias } },
    }
  },
  prefixes: ['model.encoder.', 'encoder.', ''],
  tensors: {
    ...bartTensors,
    'block.attention.q': 'layers.{i}.self_attn.self.query.*',
    'block.attention.k': 'layers.{i}.self_attn.self.key.*',
    'block.attention.v': 'layers.{i}.self_attn.self.value.*',
    'block.attention.out': 'layers.{i}.self_attn.output.*',
    'final.norm': 'layernorm_embedding.*',
  },
  depth: { count: ['encoder_layers', 'num_hidden_layers'] },
  encoderClass: 'BigBirdPegasusEncoder',
} as const satisfies Family
