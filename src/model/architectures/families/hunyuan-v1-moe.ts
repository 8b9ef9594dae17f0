/** Hunyuan-A13B (Tencent 2025): Hunyuan V1 with experts, and one that every token passes. */
import type { ConfigReader } from '../config-reader.ts'
import { chosenRouting, expertRows, readExperts, sharedExpert, sharedRows } from '../experts.ts'
import type { Family } from '../family.ts'
import { hunyuanV1Dense } from './hunyuan-v1-dense.ts'

export const hunyuanV1Moe = {
  title: 'Hunyuan V1 (MoE)',
  notes:
    'Hunyuan V1 with top-k experts by a renormalised softmax (top-k by layer), and a shared expert of the same width',
  modelTypes: ['hunyuan_v1_moe'],
  classes: ['HunYuanMoEV1'],
  spec: (config) => {
    const model = hunyuanV1Dense.spec(config)
    const perToken = readPerToken(config, model.layers)
    const mlp = readExperts(config, {
      activation: model.mlp.activation,
      routing: chosenRouting,
      experts: [['num_experts', 'num_local_experts'], 1],
      perToken: [config.isList('moe_topk') ? 'unset' : ['moe_topk', 'num_experts_per_tok'], 1],
      width: ['intermediate_size'],
      shared: sharedExpert(model.mlp.width),
    })
    return {
      ...model,
      mlp,
      block: (layer) => (perToken === undefined ? {} : { mlp: { ...mlp, perToken: perToken[layer] ?? 1 } }),
    }
  },
  prefixes: hunyuanV1Dense.prefixes,
  tensors: {
    ...hunyuanV1Dense.tensors,
    ...expertRows('layers.{i}.mlp'),
    ...sharedRows('layers.{i}.mlp.shared_mlp'),
    'block.mlp.router': 'layers.{i}.mlp.gate.wg.*',
  },
  depth: { lists: ['layer_types', 'moe_topk'] },
} as const satisfies Family

/** `moe_topk`, where it is a list with a number for each layer. */
function readPerToken(config: ConfigReader, layers: number): readonly number[] | undefined {
  if (config.isList('num_experts'))
    throw config.unsupported('num_experts', 'one number of experts for all layers is supported')
  if (!config.isList('moe_topk')) return undefined
  const counts = config.numbers('moe_topk') ?? []
  const experts = config.int(['num_experts', 'num_local_experts'], 1)
  if (counts.length < layers || !counts.every((count) => Number.isInteger(count) && count > 0 && count <= experts))
    throw config.refuse('moe_topk', `is not ${layers} numbers of experts`, `1 … ${experts}`)
  return counts
}
