/** JetMoe (Shen et al. 2024): mixtures of attention heads, and of MLPs. */
import { chosenRouting, readExperts } from '../experts.ts'
import type { Family } from '../family.ts'
import { causalHead, scoreHead } from '../heads.ts'
import { readRotary } from '../rotary.ts'
import { limits, readWidth } from '../sizes.ts'
import { llama } from './llama.ts'

export const jetmoe = {
  title: 'JetMoe',
  notes:
    'every token chooses projections of queries and out of num_local_experts pairs, keys and values are shared; experts with one bias for all; norms inside blocks have an epsilon of 1e-6 whatever rms_norm_eps says',
  modelTypes: ['jetmoe'],
  classes: ['JetMoe'],
  spec: (config) => {
    const mlp = readExperts(config, {
      activation: config.activation('activation_function', 'silu'),
      routing: chosenRouting,
      experts: ['num_local_experts', 8],
      perToken: ['num_experts_per_tok', 2],
      width: ['intermediate_size', 5632],
      mixedBias: true,
    })
    const { experts, perToken } = mlp
    const keyHeads = config.int('num_key_value_heads', 16, { max: limits.heads })
    const heads = keyHeads * perToken
    if (config.int('num_attention_heads', heads) !== heads)
      throw config.unsupported('num_attention_heads', `is ${heads} in the reference, whatever is written here`)
    const headWidth = config.int(['kv_channels', 'head_dim'], 128, { max: limits.width })
    const norm = { kind: 'rms', epsilon: 1e-6, weight: 'plain', bias: false } as const
    return {
      layers: config.int('num_hidden_layers', undefined, { max: limits.layers }),
      width: readWidth(config, 'hidden_size'),
      vocabulary: config.int('vocab_size', undefined, { max: limits.vocabulary }),
      causal: true,
      maxTokens: config.int('max_position_embeddings', 4096),
      padId: config.optionalInt('pad_token_id', { min: -1 }),
      norm,
      placement: 'before',
      attention: {
        heads,
        keyHeads,
        headWidth,
        bias: { qkv: false, out: false },
        mixture: { experts, perToken },
        positions: { kind: 'rotary', tables: [readRotary(config, { headWidth })] },
      },
      mlp,
      final: { norm: true, own: { ...norm, epsilon: config.epsilon('rms_norm_eps', 1e-6) } },
      heads: { causal: causalHead({ tied: config.flag('tie_word_embeddings', true) }), sequence: scoreHead },
    }
  },
  prefixes: llama.prefixes,
  tensors: {
    'embed.token': llama.tensors['embed.token'],
    'block.norm1': llama.tensors['block.norm1'],
    'block.attention.router': 'layers.{i}.self_attention.experts.router.layer.weight',
    'block.attention.mixture.q': 'layers.{i}.self_attention.experts.input_linear.weight',
    'block.attention.mixture.kv': 'layers.{i}.self_attention.kv_proj.weight',
    'block.attention.mixture.out': 'layers.{i}.self_attention.experts.output_linear.weight',
    'block.attention.mixture.bias': 'layers.{i}.self_attention.experts.bias',
    'block.norm2': llama.tensors['block.norm2'],
    'block.mlp.router': 'layers.{i}.mlp.router.layer.weight',
    'block.mlp.stacked.in': 'layers.{i}.mlp.input_linear.weight',
    'block.mlp.stacked.out': 'layers.{i}.mlp.output_linear.weight',
    'block.mlp.mixed.bias': 'layers.{i}.mlp.bias',
    'final.norm': llama.tensors['final.norm'],
    'head.causal': llama.tensors['head.causal'],
    'head.sequence.out': llama.tensors['head.sequence.out'],
  },
} as const satisfies Family
