/** MiMo-V2-Flash (Xiaomi 2025): values narrower than keys, sinks and twice the keys in layers with a window. */
import { mixtureRows, readMixture } from '../corrected-mixture.ts'
import { readDecoder } from '../decoder.ts'
import type { Family } from '../family.ts'
import { layerTypes } from '../layer-types.ts'
import { readRotary } from '../rotary.ts'
import { limits } from '../sizes.ts'
import { llama } from './llama.ts'

export const mimoV2Flash = {
  title: 'MiMo-V2-Flash',
  notes:
    'value heads of their own width, values scaled; sinks and twice the key heads in layers with a window, rotary by layer type; sigmoid routing as DeepSeek-V3, dense layers by mlp_layer_types',
  modelTypes: ['mimo_v2_flash'],
  classes: ['MiMoV2Flash'],
  spec: (config) => {
    const fraction = 0.334
    const decoder = readDecoder(config, {
      maxTokens: 131_072,
      keyHeads: 4,
      headWidth: 192,
      epsilon: 1e-5,
      rotary: { layerType: 'full_attention', base: 5e6, fraction },
    })
    const { heads, keyHeads, headWidth, positions, bias } = decoder.attention
    if (heads % (2 * keyHeads) !== 0)
      throw config.refuse('num_key_value_heads', `twice as many do not divide ${heads} heads`)
    const local = readRotary(config, { headWidth, layerType: 'sliding_attention', base: 10_000, fraction })
    const before = config.optionalInt('sliding_window_size')
    const window = before === undefined ? config.int('sliding_window', 129) : before + 1
    const types = layerTypes(config, decoder.layers, (layer) =>
      layer === 0 || (layer + 1) % 6 === 0 ? 'full_attention' : 'sliding_attention',
    )
    const { mlp, block } = readMixture(
      config,
      { ...decoder, mlp: { ...decoder.mlp, bias: false } },
      {
        experts: 256,
        perToken: 8,
        width: 2048,
        dense: 1,
        listed: true,
      },
    )
    return {
      ...decoder,
      attention: {
        ...decoder.attention,
        bias: { qkv: bias.qkv, out: false },
        valueWidth: config.int('v_head_dim', 128, { max: limits.width }),
        valueScale: config.isNull('attention_value_scale') ? 1 : config.number('attention_value_scale', 707 / 1000),
        positions: {
          kind: 'rotary',
          tables: [...(positions.kind === 'rotary' ? positions.tables : []), local],
        },
      },
      mlp: { ...mlp, shared: undefined },
      block: (layer) =>
        types[layer] === 'sliding_attention'
          ? { ...block(layer), window, rotary: 1, attention: { keyHeads: 2 * keyHeads, sinks: true } }
          : block(layer),
    }
  },
  prefixes: llama.prefixes,
  tensors: {
    ...llama.tensors,
    ...mixtureRows,
    'block.attention.sinks': ['layers.{i}.self_attn.attention_sink_bias', 'layers.{i}.self_attn.sinks'],
  },
  depth: { lists: ['layer_types', 'mlp_layer_types'] },
} as const satisfies Family
