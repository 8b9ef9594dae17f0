/** Mellum 2 (JetBrains 2026): Qwen3-MoE with a rotary table and a window by layer type. */
import { readDecoder, readWindow } from '../decoder.ts'
import { denseWhere, readDenseLayers, readExperts, readNormalized, softmaxRouting } from '../experts.ts'
import type { Family } from '../family.ts'
import { layerTypes } from '../layer-types.ts'
import { readRotary } from '../rotary.ts'
import { qwen3Moe } from './qwen3-moe.ts'

export const mellum = {
  title: 'Mellum 2',
  notes: 'Qwen3-MoE with a window and a rotary table of their own in sliding layers; dense layers by mlp_layer_types',
  modelTypes: ['mellum'],
  classes: ['Mellum'],
  spec: (config) => {
    const decoder = readDecoder(config, {
      maxTokens: 131_072,
      keyHeads: 4,
      headWidth: 128,
      rotary: { layerType: 'full_attention', base: 500_000 },
    })
    const { headWidth, positions } = decoder.attention
    const local = readRotary(config, { headWidth, layerType: 'sliding_attention', base: 10_000 })
    const window = readWindow(config, 1024)
    const types = layerTypes(config, decoder.layers, () => 'full_attention')
    const denseAt = denseWhere(
      readDenseLayers(config, decoder.layers, () => false),
      { ...decoder.mlp, bias: false },
    )
    return {
      ...decoder,
      attention: {
        ...decoder.attention,
        queryKeyNorm: { over: 'head', norm: decoder.norm },
        positions: { kind: 'rotary', tables: [...(positions.kind === 'rotary' ? positions.tables : []), local] },
      },
      mlp: readExperts(config, {
        activation: decoder.mlp.activation,
        routing: { ...softmaxRouting, normalized: readNormalized(config, true) },
        experts: [['num_experts', 'num_local_experts'], 64],
        perToken: ['num_experts_per_tok', 8],
        width: ['moe_intermediate_size', 896],
      }),
      block: (layer) => ({ ...denseAt(layer), ...(types[layer] === 'sliding_attention' ? { window, rotary: 1 } : {}) }),
    }
  },
  prefixes: qwen3Moe.prefixes,
  tensors: qwen3Moe.tensors,
  depth: { lists: ['layer_types', 'mlp_layer_types'] },
} as const satisfies Family
