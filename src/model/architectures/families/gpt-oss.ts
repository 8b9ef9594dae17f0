/** gpt-oss (OpenAI 2025): attention sinks, windows in every other layer, experts with biases and a clipped gate. */
import { readDecoder } from '../decoder.ts'
import { chosenRouting, readExperts } from '../experts.ts'
import type { Family } from '../family.ts'
import { layerTypes } from '../layer-types.ts'
import { llama } from './llama.ts'

const usual = {
  rope_type: 'yarn',
  factor: 32,
  beta_fast: 32,
  beta_slow: 1,
  truncate: false,
  original_max_position_embeddings: 4096,
} as const

export const gptOss = {
  title: 'gpt-oss',
  notes:
    'attention sinks, biases, window in every other layer, yarn; softmax over the chosen logits; (up + 1) · gate · σ(1.702 gate), both clipped, gate and up interleaved',
  modelTypes: ['gpt_oss'],
  classes: ['GptOss'],
  spec: (config) => {
    const decoder = readDecoder(config, {
      maxTokens: 131_072,
      keyHeads: 8,
      headWidth: 64,
      epsilon: 1e-5,
      bias: true,
      base: 150_000,
      rotary: { usual },
    })
    const window = config.isNull('sliding_window') ? undefined : config.int('sliding_window', 128)
    const types = layerTypes(config, decoder.layers, (layer) =>
      layer % 2 === 0 ? 'sliding_attention' : 'full_attention',
    )
    return {
      ...decoder,
      attention: { ...decoder.attention, sinks: true },
      mlp: readExperts(config, {
        activation: 'silu',
        bias: true,
        routing: { ...chosenRouting, bias: true },
        clip: {
          limit: config.number('swiglu_limit', 7, { min: 0 }),
          steepness: config.number('swiglu_alpha', 1.702),
          shift: 1,
        },
        experts: [['num_local_experts', 'num_experts'], 128],
        perToken: [['num_experts_per_tok', 'experts_per_token'], 4],
        width: ['intermediate_size', 2880],
        stacked: { in: 'in-out', out: 'in-out', interleaved: true },
      }),
      block: (layer) => ({ window: types[layer] === 'sliding_attention' ? window : undefined }),
    }
  },
  prefixes: llama.prefixes,
  tensors: {
    ...llama.tensors,
    'block.attention.sinks': 'layers.{i}.self_attn.sinks',
    'block.mlp.router': 'layers.{i}.mlp.router.*',
    'block.mlp.stacked.in': 'layers.{i}.mlp.experts.gate_up_proj',
    'block.mlp.stacked.in.bias': 'layers.{i}.mlp.experts.gate_up_proj_bias',
    'block.mlp.stacked.out': 'layers.{i}.mlp.experts.down_proj',
    'block.mlp.stacked.out.bias': 'layers.{i}.mlp.experts.down_proj_bias',
  },
} as const satisfies Family
