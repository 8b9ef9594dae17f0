/**
 * GPT-J (Wang & Komatsuzaki 2021): attention and MLP side by side after one norm, rotary positions over neighbouring
 * columns.
 */
import type { ConfigReader } from '../config-reader.ts'
import type { Family } from '../family.ts'
import { causalHead, scoreHead } from '../heads.ts'
import { dividedWidth, limits, readSizes } from '../sizes.ts'
import type { Rotary } from '../spec.ts'

const layerKeys = ['num_hidden_layers', 'n_layer'] as const

export const gptj = {
  title: 'GPT-J',
  notes:
    'attention and MLP in parallel after one LayerNorm, interleaved rotary on the first rotary_dim columns, no attention biases, head with bias',
  modelTypes: ['gptj'],
  classes: ['GPTJ'],
  spec: (config) => {
    const keys = { layers: layerKeys, width: ['hidden_size', 'n_embd'], heads: ['num_attention_heads', 'n_head'] }
    const { layers, width, heads, vocabulary } = readSizes(config, keys)
    const headWidth = dividedWidth(config, width, heads, keys.heads)
    return {
      layers,
      width,
      vocabulary,
      causal: true,
      maxTokens: config.int(['max_position_embeddings', 'n_positions'], 2048),
      padId: config.optionalInt('pad_token_id', { min: -1 }),
      norm: { kind: 'layer', epsilon: config.epsilon('layer_norm_epsilon', 1e-5), weight: 'plain', bias: true },
      placement: 'parallel-one-norm',
      attention: {
        heads,
        headWidth,
        bias: { qkv: false, out: false },
        positions: { kind: 'rotary', tables: [readInterleaved(config, headWidth)] },
      },
      mlp: {
        kind: 'plain',
        activation: config.activation('activation_function', 'gelu_new'),
        width: config.optionalInt('n_inner', { max: limits.width }) ?? 4 * width,
        bias: true,
      },
      final: { norm: true },
      heads: {
        causal: causalHead({ tied: config.flag('tie_word_embeddings', false), bias: true }),
        sequence: scoreHead,
      },
    }
  },
  prefixes: ['transformer.', ''],
  tensors: {
    'embed.token': 'wte.weight',
    'block.norm1': 'h.{i}.ln_1.*',
    'block.attention.q': 'h.{i}.attn.q_proj.*',
    'block.attention.k': 'h.{i}.attn.k_proj.*',
    'block.attention.v': 'h.{i}.attn.v_proj.*',
    'block.attention.out': 'h.{i}.attn.out_proj.*',
    'block.mlp.in': 'h.{i}.mlp.fc_in.*',
    'block.mlp.out': 'h.{i}.mlp.fc_out.*',
    'final.norm': 'ln_f.*',
    'head.causal': { outside: 'lm_head.weight' },
    'head.causal.bias': { outside: 'lm_head.bias' },
    'head.sequence.out': { outside: 'score.*' },
  },
  depth: { count: layerKeys },
} as const satisfies Family

/** The base is fixed. A null `rotary_dim` makes a table as wide as the model, which fits only a single head. */
function readInterleaved(config: ConfigReader, headWidth: number): Rotary {
  const width = config.isNull('rotary_dim') ? headWidth : config.int('rotary_dim', 64)
  if (width > headWidth || width % 2 !== 0)
    throw config.refuse('rotary_dim', `does not fit heads of ${headWidth} columns`, `an even number ≤ ${headWidth}`)
  return { width, base: 10_000, interleaved: true, magnitude: 1, scaling: { kind: 'default' } }
}
