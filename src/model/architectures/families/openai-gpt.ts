/** GPT (Radford et al. 2018): learned positions, norms after each half, matrices stored [in, out]. */
import type { ConfigReader } from '../config-reader.ts'
import type { Activation } from '../activation.ts'
import type { Family } from '../family.ts'
import { causalHead, scoreHead } from '../heads.ts'
import { readSizes } from '../sizes.ts'
import { gpt2 } from './gpt2.ts'

const keys = {
  layers: ['n_layer', 'num_hidden_layers'],
  width: ['n_embd', 'hidden_size'],
  heads: ['n_head', 'num_attention_heads'],
} as const

export const openaiGpt = {
  title: 'GPT',
  notes:
    'post-norm, learned positions, fused [q | k | v], Conv1D matrices [in, out], tied head; afn gelu is its tanh approximation',
  modelTypes: ['openai-gpt'],
  classes: ['OpenAIGPT'],
  spec: (config) => {
    const { layers, width, heads, vocabulary } = readSizes(config, keys)
    const rows = config.int(['n_positions', 'max_position_embeddings'], 512)
    return {
      layers,
      width,
      vocabulary,
      causal: true,
      maxTokens: rows,
      padId: config.optionalInt('pad_token_id', { min: -1 }),
      embedding: { positions: { from: 'columns', rows } },
      norm: { kind: 'layer', epsilon: config.epsilon('layer_norm_epsilon', 1e-5), weight: 'plain', bias: true },
      placement: 'after-add',
      attention: { heads, layout: 'qkv', bias: { qkv: true, out: true }, positions: { kind: 'none' } },
      mlp: { kind: 'plain', activation: readActivation(config), width: 4 * width, bias: true },
      heads: { causal: causalHead({ tied: config.flag('tie_word_embeddings', true) }), sequence: scoreHead },
    }
  },
  prefixes: ['transformer.', ''],
  tensors: {
    ...gpt2.tensors,
    'embed.token': 'tokens_embed.weight',
    'embed.position': 'positions_embed.weight',
  },
  linear: 'in-out',
  depth: { count: keys.layers },
} as const satisfies Family

/** The class has a table of its own. */
const meanings: Readonly<Record<string, Activation>> = { gelu: 'gelu_new', relu: 'relu', silu: 'silu', swish: 'silu' }

function readActivation(config: ConfigReader): Activation {
  const name = config.choice('afn', ['gelu', 'relu', 'silu', 'swish'], 'gelu')
  return meanings[name] ?? 'gelu_new'
}
