/** ModernBERT (Warner et al. 2024): pre-norm, rotary, local attention in most layers, GLU. */
import type { Family } from '../family.ts'
import { maskedHead } from '../heads.ts'
import { layerTypes } from '../layer-types.ts'
import { readRotary } from '../rotary.ts'
import { dividedWidth, readSizes, readWidth } from '../sizes.ts'
import type { HeadStep, NormSpec } from '../spec.ts'

export const modernbert = {
  title: 'ModernBERT',
  notes:
    'pre-norm without a norm in the first block, rotary with two bases, every third layer global and the others local, GLU of two halves; only the last state is normed',
  modelTypes: ['modernbert'],
  classes: ['ModernBert'],
  spec: (config) => {
    const { layers, width, heads, vocabulary } = readSizes(config)
    const maxTokens = config.int('max_position_embeddings', 8192)
    const norm: NormSpec = {
      kind: 'layer',
      epsilon: config.epsilon('norm_eps', 1e-5),
      weight: 'plain',
      bias: config.flag('norm_bias', false),
    }
    const bias = config.flag('attention_bias', false)
    const headWidth = dividedWidth(config, width, heads)
    const every = config.int('global_attn_every_n_layers', 3)
    const types = layerTypes(config, layers, (layer) => (layer % every === 0 ? 'full_attention' : 'sliding_attention'))
    const globalBase = config.number('global_rope_theta', 160_000)
    const localBase = config.isNull('local_rope_theta') ? globalBase : 10_000
    const tables = [
      readRotary(config, { headWidth, base: globalBase, baseKey: 'global_rope_theta', layerType: 'full_attention' }),
      readRotary(config, { headWidth, base: localBase, baseKey: 'local_rope_theta', layerType: 'sliding_attention' }),
    ]
    const window = Math.floor(config.int('local_attention', 128) / 2) + 1
    const activation = config.activation('classifier_activation', 'gelu')
    const classifierBias = config.flag('classifier_bias', false)
    const head: readonly HeadStep[] = [
      { do: 'linear', slot: 'head.masked.dense', out: width, bias: classifierBias },
      { do: 'activation', activation },
      { do: 'norm', slot: 'head.masked.norm', norm },
    ]
    return {
      layers,
      width,
      vocabulary,
      norm,
      maxTokens,
      causal: false,
      padId: config.optionalInt('pad_token_id', { min: -1 }),
      embedding: { norm },
      placement: 'before',
      attention: { heads, layout: 'qkv', bias: { qkv: bias, out: bias }, positions: { kind: 'rotary', tables } },
      mlp: {
        kind: 'gated',
        layout: 'halves',
        activation: config.activation('hidden_activation', 'gelu'),
        width: readWidth(config, 'intermediate_size'),
        bias: config.flag('mlp_bias', false),
      },
      // Normed in `hidden_states` since transformers 5; 4.57 gave the raw last block.
      final: { norm: true, lastState: 'normed' },
      block: (layer) => ({
        firstNorm: layer > 0,
        ...(types[layer] === 'sliding_attention' ? { window, rotary: 1 } : {}),
      }),
      heads: {
        sequence: {
          from: config.choice('classifier_pooling', ['cls', 'mean'], 'cls') === 'cls' ? 'first' : 'mean',
          steps: [...head, { do: 'linear', slot: 'head.sequence.out', out: 'labels', bias: true }],
        },
        masked: maskedHead({
          width,
          activation,
          norm,
          tied: config.flag('tie_word_embeddings', true),
          denseBias: classifierBias,
          bias: config.flag('decoder_bias', true),
        }),
      },
    }
  },
  prefixes: ['', 'model.'],
  tensors: {
    'embed.token': 'embeddings.tok_embeddings.weight',
    'embed.norm': 'embeddings.norm.*',
    'block.norm1': 'layers.{i}.attn_norm.*',
    'block.attention.qkv': 'layers.{i}.attn.Wqkv.*',
    'block.attention.out': 'layers.{i}.attn.Wo.*',
    'block.norm2': 'layers.{i}.mlp_norm.*',
    'block.mlp.in': 'layers.{i}.mlp.Wi.*',
    'block.mlp.out': 'layers.{i}.mlp.Wo.*',
    'final.norm': 'final_norm.*',
    'head.sequence.out': { outside: 'classifier.*' },
    // The second names are ModernVBERT's.
    'head.masked.dense': { outside: ['head.dense.*', 'projection_head.dense.*'] },
    'head.masked.norm': { outside: ['head.norm.*', 'projection_head.norm.*'] },
    'head.masked.decoder': { outside: ['decoder.weight', 'lm_head.weight'] },
    'head.masked.bias': { outside: ['decoder.bias', 'lm_head.bias'] },
  },
} as const satisfies Family
