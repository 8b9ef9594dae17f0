/** GPT-NeoX Japanese (ABEJA 2022): GPT-NeoX in sequence, without biases but one, after the last attention. */
import type { Family } from '../family.ts'
import { causalHead } from '../heads.ts'
import { readRotary } from '../rotary.ts'
import { dividedWidth, readSizes } from '../sizes.ts'
import { gptNeox } from './gpt-neox.ts'

export const gptNeoxJapanese = {
  title: 'GPT-NeoX Japanese',
  notes: 'attention, then MLP; rotary on whole heads, no biases except in the last attention; tied head',
  modelTypes: ['gpt_neox_japanese'],
  classes: ['GPTNeoXJapanese'],
  spec: (config) => {
    const { layers, width, heads, vocabulary } = readSizes(config)
    const headWidth = dividedWidth(config, width, heads)
    const rotary = readRotary(config, {
      headWidth,
      fractionKey: ['rotary_pct', 'partial_rotary_factor'],
      baseKey: ['rotary_emb_base', 'rope_theta'],
    })
    return {
      layers,
      width,
      vocabulary,
      causal: true,
      maxTokens: config.int('max_position_embeddings', 2048),
      padId: config.optionalInt('pad_token_id', { min: -1 }),
      norm: { kind: 'layer', epsilon: config.epsilon('layer_norm_eps', 1e-5), weight: 'plain', bias: true },
      placement: 'before',
      attention: {
        heads,
        headWidth,
        layout: 'qkv-by-head',
        bias: { qkv: false, out: false },
        positions: { kind: 'rotary', tables: [rotary] },
      },
      mlp: {
        kind: 'plain',
        activation: config.activation('hidden_act', 'gelu'),
        width: width * config.int('intermediate_multiple_size', 4, { max: 1024 }),
        bias: false,
      },
      block: (layer) => ({ attention: { bias: { qkv: false, out: layer === layers - 1 } } }),
      final: { norm: true },
      heads: { causal: causalHead({ tied: config.flag('tie_word_embeddings', true) }) },
    }
  },
  prefixes: ['gpt_neox_japanese.', ''],
  tensors: {
    ...gptNeox.tensors,
    'block.attention.out': ['layers.{i}.attention.dense.*', 'layers.{i}.attention.dense_*'],
  },
} as const satisfies Family
