/** Command A+ (Cohere 2026): Cohere 2 with experts, chosen by logits, that are averaged with or added to shared ones. */
import {
  denseWhere,
  expertRows,
  readDenseLayers,
  readExperts,
  readNormalized,
  sharedExpert,
  sharedRows,
  softmaxRouting,
} from '../experts.ts'
import { readWindow } from '../decoder.ts'
import type { Family } from '../family.ts'
import { layerTypes } from '../layer-types.ts'
import { limits } from '../sizes.ts'
import { cohere2 } from './cohere2.ts'
import { readCohere } from './cohere.ts'

export const cohere2Moe = {
  title: 'Command A+ (Cohere 2 MoE)',
  notes:
    'as Cohere 2, RMS norm where rms_norm_eps is set; softmax over the chosen logits or sigmoids; shared experts averaged or added; dense first layers with windows and width of their own',
  modelTypes: ['cohere2_moe'],
  classes: ['Cohere2Moe'],
  spec: (config) => {
    const decoder = readCohere(config, undefined)
    const { layers } = decoder
    const window = readWindow(config, 4096)
    const first = config.int('first_k_dense_replace', 0, { min: 0 })
    const [every, early] = [
      config.int('sliding_window_pattern', 4),
      config.int('prefix_dense_sliding_window_pattern', 1),
    ]
    const types = layerTypes(config, layers, (layer) =>
      (layer < first ? (layer + 1) % early : (layer - first + 1) % every) === 0
        ? 'full_attention'
        : 'sliding_attention',
    )
    const isDense = readDenseLayers(config, layers, (layer) => layer < first)
    const sparseWidth = decoder.mlp.width
    const width = config.optionalInt('prefix_dense_intermediate_size', { max: limits.width }) ?? sparseWidth
    const denseAt = denseWhere(isDense, { ...decoder.mlp, width })
    const epsilon = config.optionalNumber('rms_norm_eps', { min: 0, max: 1 })
    const joined = config.choice('shared_expert_combination_strategy', ['average', 'sum'], 'average')
    const isSoftmax = config.choice('expert_selection_fn', ['softmax', 'sigmoid'], 'softmax') === 'softmax'
    return {
      ...decoder,
      norm: epsilon === undefined ? decoder.norm : { ...decoder.norm, kind: 'rms', epsilon },
      mlp: readExperts(config, {
        activation: decoder.mlp.activation,
        routing: isSoftmax
          ? { ...softmaxRouting, normalized: 1 }
          : { ...softmaxRouting, scores: 'sigmoid', normalized: readNormalized(config, true) },
        experts: [['num_experts', 'num_local_experts'], 8],
        perToken: ['num_experts_per_tok', 2],
        width: ['intermediate_size', 22_528],
        shared: sharedExpert(config.int('num_shared_experts', 0, { min: 0, max: limits.experts }) * sparseWidth, {
          joined: joined === 'sum' ? 'sum' : 'mean',
        }),
      }),
      block: (layer) => {
        const sliding = types[layer] === 'sliding_attention' && window !== undefined
        const turns = sliding || (isDense(layer) && early === 1)
        return { ...denseAt(layer), ...(sliding ? { window } : {}), ...(turns ? {} : { rotary: undefined }) }
      },
    }
  },
  prefixes: cohere2.prefixes,
  tensors: {
    ...cohere2.tensors,
    ...expertRows('layers.{i}.mlp'),
    ...sharedRows('layers.{i}.mlp.shared_experts'),
    'block.mlp.router': 'layers.{i}.mlp.gate.weight',
  },
  depth: { lists: ['layer_types', 'mlp_layer_types'] },
} as const satisfies Family
