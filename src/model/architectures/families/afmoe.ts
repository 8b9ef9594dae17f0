/** Trinity (Arcee 2025): four norms a block, gated attention, windows with rotary and full layers without. */
import { mixtureRows } from '../corrected-mixture.ts'
import { readDecoder } from '../decoder.ts'
import { denseWhere, readExperts, sharedExpert, softmaxRouting } from '../experts.ts'
import type { Family } from '../family.ts'
import { layerTypes } from '../layer-types.ts'
import { limits } from '../sizes.ts'
import { qwen3 } from './qwen3.ts'

export const afmoe = {
  title: 'AFMoE (Trinity)',
  notes:
    'norms around both halves, RMS norm on q and k per head, what heads mixed times a sigmoid; rotary only in layers with a window; sigmoid routing with expert_bias, shared experts, dense first layers',
  modelTypes: ['afmoe'],
  classes: ['Afmoe'],
  spec: (config) => {
    const decoder = readDecoder(config, { maxTokens: 16_384, headWidth: 128, epsilon: 1e-5 })
    const dense = { ...decoder.mlp, bias: false }
    const window = config.int('sliding_window', 1024)
    const every = config.int('global_attn_every_n_layers', 4)
    const types = layerTypes(config, decoder.layers, (layer) =>
      (layer + 1) % every === 0 ? 'full_attention' : 'sliding_attention',
    )
    const width = config.int('moe_intermediate_size', 1408, { max: limits.width })
    const firstSparse = config.int('num_dense_layers', 1, { min: 0 })
    const denseAt = denseWhere((layer) => layer < firstSparse, dense)
    return {
      ...decoder,
      placement: 'around',
      embedding: { multiplier: config.flag('mup_enabled', false) ? Math.sqrt(decoder.width) : 1 },
      attention: {
        ...decoder.attention,
        queryKeyNorm: { over: 'head', norm: decoder.norm },
        outGate: { activation: 'sigmoid', per: 'column' },
      },
      mlp: readExperts(config, {
        activation: dense.activation,
        routing: {
          ...softmaxRouting,
          scores: 'sigmoid',
          correction: true,
          normalized: 1,
          scaling: config.number('route_scale', 1),
        },
        experts: [['num_experts', 'num_local_experts'], 64],
        perToken: ['num_experts_per_tok', 6],
        width: ['moe_intermediate_size', 1408],
        shared: sharedExpert(config.int('num_shared_experts', 2, { min: 0, max: limits.experts }) * width),
      }),
      block: (layer) =>
        types[layer] === 'sliding_attention' ? { ...denseAt(layer), window } : { ...denseAt(layer), rotary: undefined },
    }
  },
  prefixes: qwen3.prefixes,
  tensors: {
    ...qwen3.tensors,
    ...mixtureRows,
    'block.attention.gate': 'layers.{i}.self_attn.gate_proj.*',
    'block.norm1.after': 'layers.{i}.post_attention_layernorm.*',
    'block.norm2': 'layers.{i}.pre_mlp_layernorm.*',
    'block.norm2.after': 'layers.{i}.post_mlp_layernorm.*',
    'block.mlp.router': 'layers.{i}.mlp.router.gate.*',
    'block.mlp.router.correction': 'layers.{i}.mlp.expert_bias',
  },
} as const satisfies Family
