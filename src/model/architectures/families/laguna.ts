/** Laguna (Poolside 2025): heads by layer, gated attention, a rotary table for each kind of layer. */
import type { ConfigReader } from '../config-reader.ts'
import { mixtureRows } from '../corrected-mixture.ts'
import { readDecoder } from '../decoder.ts'
import { denseWhere, readDenseLayers, readExperts, sharedExpert, softmaxRouting } from '../experts.ts'
import type { Family } from '../family.ts'
import { layerTypes } from '../layer-types.ts'
import { readRotary } from '../rotary.ts'
import { limits } from '../sizes.ts'
import type { OutGate } from '../latent-spec.ts'
import { qwen3 } from './qwen3.ts'

export const laguna = {
  title: 'Laguna',
  notes:
    'number of heads by layer, RMS norm on q and k per head, what heads mixed times a softplus; rotary by layer type; sigmoid routing with a correction, shared expert, dense layers by mlp_layer_types',
  modelTypes: ['laguna'],
  classes: ['Laguna'],
  spec: (config) => {
    if (config.flag('moe_apply_router_weight_on_input', false))
      throw config.unsupported('moe_apply_router_weight_on_input', 'the reference multiplies what experts compute')
    const local = { layerType: 'sliding_attention', base: 10_000, fraction: 1 } as const
    const decoder = readDecoder(config, {
      maxTokens: 131_072,
      keyHeads: 8,
      headWidth: 128,
      rotary: { layerType: 'full_attention', base: 500_000, fraction: 0.5 },
    })
    const { heads, keyHeads, headWidth, positions } = decoder.attention
    const counts = readHeads(config, decoder.layers, keyHeads)
    const attention = {
      ...decoder.attention,
      queryKeyNorm: { over: 'head', norm: decoder.norm },
      outGate: readGate(config),
      positions: {
        kind: 'rotary',
        tables: [...(positions.kind === 'rotary' ? positions.tables : []), readRotary(config, { headWidth, ...local })],
      },
    } as const
    const types = layerTypes(config, decoder.layers, () => 'full_attention')
    const window = config.int('sliding_window', 512)
    const cap = config.number('moe_router_logit_softcapping', 0, { min: 0 })
    const denseAt = denseWhere(
      readDenseLayers(config, decoder.layers, (layer) => layer === 0),
      { ...decoder.mlp, bias: false },
    )
    return {
      ...decoder,
      attention,
      mlp: readExperts(config, {
        activation: decoder.mlp.activation,
        routing: {
          ...softmaxRouting,
          scores: 'sigmoid',
          correction: true,
          normalized: 1,
          softcap: cap === 0 ? undefined : cap,
          scaling: config.number('moe_routed_scaling_factor', 1),
        },
        experts: [['num_experts', 'num_local_experts'], 256],
        perToken: ['num_experts_per_tok', 8],
        width: ['moe_intermediate_size', 512],
        shared: sharedExpert(config.int('shared_expert_intermediate_size', 512, { max: limits.width })),
      }),
      block: (layer) => {
        const isLocal = types[layer] === 'sliding_attention'
        return {
          ...denseAt(layer),
          attention: { heads: counts?.[layer] ?? heads },
          ...(isLocal ? { window, rotary: 1 } : {}),
        }
      },
    }
  },
  prefixes: qwen3.prefixes,
  tensors: {
    ...qwen3.tensors,
    ...mixtureRows,
    'block.attention.gate': 'layers.{i}.self_attn.g_proj.*',
    'block.mlp.router.correction': [
      'layers.{i}.mlp.experts.e_score_correction_bias',
      'layers.{i}.mlp.gate.e_score_correction_bias',
    ],
    'block.mlp.shared.gate': ['layers.{i}.mlp.shared_expert.gate_proj.*', 'layers.{i}.mlp.shared_experts.gate_proj.*'],
    'block.mlp.shared.up': ['layers.{i}.mlp.shared_expert.up_proj.*', 'layers.{i}.mlp.shared_experts.up_proj.*'],
    'block.mlp.shared.out': ['layers.{i}.mlp.shared_expert.down_proj.*', 'layers.{i}.mlp.shared_experts.down_proj.*'],
  },
  depth: { lists: ['layer_types', 'mlp_layer_types', 'num_attention_heads_per_layer'] },
} as const satisfies Family

function readHeads(config: ConfigReader, layers: number, keyHeads: number): readonly number[] | undefined {
  const key = 'num_attention_heads_per_layer'
  const counts = config.numbers(key)
  if (counts === undefined) return undefined
  if (counts.length !== layers) throw config.refuse(key, `has ${counts.length} numbers`, `${layers}, one per layer`)
  if (!counts.every((count) => Number.isInteger(count) && count > 0 && count <= limits.heads && count % keyHeads === 0))
    throw config.refuse(key, `holds something that is no multiple of ${keyHeads} key heads`)
  return counts
}

/** `gating`: true or `per-head`, or a word for every column. */
function readGate(config: ConfigReader): OutGate {
  const isText = config.isText('gating')
  if (!isText && !config.flag('gating', true)) return { activation: 'softplus', per: 'column' }
  return { activation: 'softplus', per: isText && config.text('gating') !== 'per-head' ? 'column' : 'head' }
}
