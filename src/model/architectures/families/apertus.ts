/** Apertus (Swiss AI 2025): norms on queries and keys, a plain MLP with the learned activation xIELU. */
import { plainMlp, readDecoder } from '../decoder.ts'
import type { Family } from '../family.ts'
import { causalHead } from '../heads.ts'
import { nemotron } from './nemotron.ts'

export const apertus = {
  title: 'Apertus',
  notes: 'RMS norm on q and k per head, plain MLP with xIELU (two learned parameters per block)',
  modelTypes: ['apertus', 'apertus1p5_text'],
  classes: ['Apertus', 'Apertus1p5'],
  spec: (config) => {
    const rows = config.optionalInt('output_vocab_size')
    if (rows !== undefined && rows !== config.int('vocab_size'))
      throw config.unsupported('output_vocab_size', 'a head with fewer rows than the token table is not built')
    const decoder = readDecoder(config, {
      maxTokens: 65_536,
      padId: 3,
      epsilon: 1e-5,
      base: 12_000_000,
      activationKey: [],
      rotary: {
        usual: {
          rope_type: 'llama3',
          rope_theta: 12_000_000,
          factor: 8,
          original_max_position_embeddings: 8192,
          low_freq_factor: 1,
          high_freq_factor: 4,
        },
      },
    })
    const learned = (config.text('hidden_act') ?? 'xielu') === 'xielu'
    return {
      ...decoder,
      attention: { ...decoder.attention, queryKeyNorm: { over: 'head', norm: decoder.norm } },
      mlp: { ...plainMlp(decoder.mlp), activation: learned ? 'xielu' : config.activation('hidden_act'), bias: false },
      heads: { causal: causalHead({ tied: config.flag('tie_word_embeddings', false) }) },
    }
  },
  prefixes: ['model.', 'model.language_model.', ''],
  tensors: {
    ...nemotron.tensors,
    'block.norm1': 'layers.{i}.attention_layernorm.*',
    'block.norm2': 'layers.{i}.feedforward_layernorm.*',
    'block.attention.q.norm': 'layers.{i}.self_attn.q_norm.*',
    'block.attention.k.norm': 'layers.{i}.self_attn.k_norm.*',
    'block.mlp.activation.positive': 'layers.{i}.mlp.act_fn.alpha_p',
    'block.mlp.activation.negative': 'layers.{i}.mlp.act_fn.alpha_n',
    'block.mlp.activation.linear': 'layers.{i}.mlp.act_fn.beta',
    'block.mlp.activation.limit': 'layers.{i}.mlp.act_fn.eps',
  },
} as const satisfies Family
