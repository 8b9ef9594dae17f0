/** Flint (Recursive 2026): Qwen3-MoE with attention sinks, global layers without positions, sigmoid routing. */
import { readDecoder } from '../decoder.ts'
import { denseWhere, readExperts, readNormalized, sharedExpert, sharedRows, softmaxRouting } from '../experts.ts'
import type { Family } from '../family.ts'
import { causalHead } from '../heads.ts'
import { layerTypes } from '../layer-types.ts'
import { limits } from '../sizes.ts'
import { qwen3Moe } from './qwen3-moe.ts'

export const flint = {
  title: 'Flint',
  notes:
    'as Qwen3-MoE with a sink per head; local layers have positions, global ones none; sigmoids of the top k, a shared expert; the first two layers dense',
  modelTypes: ['flint'],
  classes: ['Flint'],
  spec: (config) => {
    const decoder = readDecoder(config, { maxTokens: 262_144, keyHeads: 4, headWidth: 128 })
    const { layers } = decoder
    const window = config.int('sliding_window', 513)
    const types = layerTypes(config, layers, (layer) =>
      layer < 2 || layer % 4 === 1 || layer === layers - 1 ? 'full_attention' : 'sliding_attention',
    )
    const listed = config.numbers('mlp_only_layers') ?? [0, 1]
    const step = config.int('decoder_sparse_step', 1)
    const isDense = (layer: number): boolean => listed.includes(layer) || (layer + 1) % step !== 0
    const denseAt = denseWhere(isDense, { ...decoder.mlp, bias: false })
    const shared = config.int('shared_expert_intermediate_size', 1024, { max: limits.width })
    return {
      ...decoder,
      attention: { ...decoder.attention, queryKeyNorm: { over: 'head', norm: decoder.norm }, sinks: true },
      mlp: readExperts(config, {
        activation: decoder.mlp.activation,
        routing: { ...softmaxRouting, scores: 'sigmoid', normalized: readNormalized(config, true) },
        experts: [['num_experts', 'num_local_experts'], 256],
        perToken: ['num_experts_per_tok', 6],
        width: ['moe_intermediate_size', 512],
        shared: sharedExpert(shared),
      }),
      block: (layer) => ({
        ...denseAt(layer),
        ...(types[layer] === 'sliding_attention' ? { window } : { rotary: undefined }),
      }),
      heads: { causal: causalHead({ tied: config.flag('tie_word_embeddings', false) }) },
    }
  },
  prefixes: qwen3Moe.prefixes,
  tensors: {
    ...qwen3Moe.tensors,
    ...sharedRows('layers.{i}.mlp.shared_expert'),
    'block.attention.sinks': ['layers.{i}.self_attn.sinks', 'layers.{i}.self_attn.softmax_offset'],
  },
} as const satisfies Family
