/** ZAYA1 (Zyphra 2025): compressed convolutional attention, and experts whose routers are networks in a row. */
import type { ConfigReader } from '../config-reader.ts'
import { expertRows, readExperts, softmaxRouting } from '../experts.ts'
import type { Family } from '../family.ts'
import { causalHead } from '../heads.ts'
import { readRotary } from '../rotary.ts'
import { limits, readGroupedHeads, readSizes } from '../sizes.ts'
import type { Rotary } from '../spec.ts'
import { llama } from './llama.ts'

const kinds = ['hybrid', 'hybrid_sliding'] as const
const bases = { hybrid: 5e6, hybrid_sliding: 1e4 } as const

export const zaya = {
  title: 'ZAYA1',
  notes:
    'queries and keys go through two causal convolutions and have a length of √head_dim, half of the values are of the token before; one expert or none per token, chosen by a network that sees the router before; learned shifts and scales of stream and halves',
  modelTypes: ['zaya'],
  classes: ['Zaya'],
  spec: (config) => {
    const sizes = readSizes(config)
    const { layers, width, heads, vocabulary } = sizes
    const { keyHeads, headWidth } = readGroupedHeads(config, sizes, { keyHeads: 2, headWidth: 128 })
    if ((keyHeads * headWidth) % 2 !== 0) throw config.refuse('head_dim', 'leaves an odd number of values')
    const norm = { kind: 'rms', epsilon: config.epsilon('rms_norm_eps', 1e-5), weight: 'plain', bias: false } as const
    const bias = config.flag('attention_bias', false)
    const types = readTypes(config, layers)
    const window = config.optionalInt('sliding_window')
    if (window === undefined && types.includes('hybrid_sliding'))
      throw config.refuse('sliding_window', 'is none, but some layers are local')
    config.only('num_experts_per_tok', [1], 'the reference knows one expert per token')
    const network = { width: config.int('router_hidden_size', 256, { max: limits.width }), norm }
    const experts = readExperts(config, {
      activation: config.activation('hidden_act', 'silu'),
      routing: { ...softmaxRouting, correction: true, network: { ...network, carries: true } },
      experts: [['num_experts', 'num_local_experts'], 16],
      perToken: ['num_experts_per_tok', 1],
      width: ['moe_intermediate_size', 2048],
      idle: { count: 1, give: 'nothing' },
    })
    const first = {
      ...experts,
      routing: { ...softmaxRouting, correction: true, network: { ...network, carries: false } },
    }
    return {
      layers,
      width,
      vocabulary,
      causal: true,
      maxTokens: config.int('max_position_embeddings', 131_072),
      padId: config.isNull('pad_token_id') ? undefined : config.int('pad_token_id', 0, { min: -1 }),
      norm,
      placement: 'before',
      embedding: { shifted: true },
      streamShifts: true,
      attention: {
        heads,
        keyHeads,
        headWidth,
        bias: { qkv: bias, out: bias },
        compressed: {
          depth: config.int('cca_time0', 2, { max: 1024 }),
          group: config.int('cca_time1', 2, { max: 1024 }),
        },
        positions: {
          kind: 'rotary',
          tables: kinds.map((kind) => readTable(config, { headWidth, kind, isUsed: types.includes(kind) })),
        },
      },
      mlp: experts,
      block: (layer) => ({
        ...(types[layer] === 'hybrid_sliding' ? { rotary: 1, window } : { rotary: 0 }),
        ...(layer === 0 ? { mlp: first } : {}),
      }),
      final: { norm: true },
      heads: {
        causal: causalHead({
          tied: config.flag('tie_word_embeddings', true),
          bias: config.flag('lm_head_bias', false),
        }),
      },
    }
  },
  prefixes: llama.prefixes,
  tensors: {
    'embed.token': llama.tensors['embed.token'],
    'embed.shift': 'input_hidden_states_bias',
    'embed.scale': 'input_hidden_states_scale',
    'block.norm1': llama.tensors['block.norm1'],
    'block.attention.q': 'layers.{i}.self_attn.qkv_proj.q_proj.*',
    'block.attention.k': 'layers.{i}.self_attn.qkv_proj.k_proj.*',
    'block.attention.v': 'layers.{i}.self_attn.qkv_proj.v_proj_current.*',
    'block.attention.compressed.delayed': 'layers.{i}.self_attn.qkv_proj.v_proj_delayed.*',
    'block.attention.compressed.depth': 'layers.{i}.self_attn.qkv_proj.conv_qk_depthwise.*',
    'block.attention.compressed.group': 'layers.{i}.self_attn.qkv_proj.conv_qk_grouped.*',
    'block.attention.compressed.temperature': 'layers.{i}.self_attn.qk_norm.temp',
    'block.attention.out': llama.tensors['block.attention.out'],
    'block.branch1.shift': 'layers.{i}.post_attention_residual_scale.hidden_states_bias',
    'block.branch1.scale': 'layers.{i}.post_attention_residual_scale.hidden_states_scale',
    'block.stream1.shift': 'layers.{i}.post_attention_residual_scale.residual_bias',
    'block.stream1.scale': 'layers.{i}.post_attention_residual_scale.residual_scale',
    'block.norm2': llama.tensors['block.norm2'],
    ...expertRows('layers.{i}.mlp'),
    'block.mlp.router.down': 'layers.{i}.mlp.gate.down_proj.*',
    'block.mlp.router.carried': 'layers.{i}.mlp.gate.router_states_scale',
    'block.mlp.router.norm': 'layers.{i}.mlp.gate.router_mlp.norm.*',
    'block.mlp.router.inner1': 'layers.{i}.mlp.gate.router_mlp.fc1.*',
    'block.mlp.router.inner2': 'layers.{i}.mlp.gate.router_mlp.fc2.*',
    'block.mlp.router': 'layers.{i}.mlp.gate.router_mlp.out_proj.*',
    'block.mlp.router.correction': 'layers.{i}.mlp.gate.balancing_biases',
    'block.branch2.shift': 'layers.{i}.post_mlp_residual_scale.hidden_states_bias',
    'block.branch2.scale': 'layers.{i}.post_mlp_residual_scale.hidden_states_scale',
    'block.stream2.shift': 'layers.{i}.post_mlp_residual_scale.residual_bias',
    'block.stream2.scale': 'layers.{i}.post_mlp_residual_scale.residual_scale',
    'final.norm': llama.tensors['final.norm'],
    'head.causal': llama.tensors['head.causal'],
    'head.causal.bias': { outside: 'lm_head.bias' },
  },
} as const satisfies Family

function readTypes(config: ConfigReader, layers: number): readonly (typeof kinds)[number][] {
  const written = config.list('layer_types')
  if (written === undefined) return Array.from({ length: layers }, () => 'hybrid')
  if (written.length !== layers) throw config.refuse('layer_types', `names ${written.length} layers`, layers)
  return written.map((type) => {
    const found = kinds.find((kind) => kind === type)
    if (found === undefined) throw config.unsupported('layer_types', `supports only ${kinds.join(' and ')}`)
    return found
  })
}

/** `rope_parameters` by layer type; half of a head is rotated where the config has none. */
function readTable(
  config: ConfigReader,
  {
    headWidth,
    kind,
    isUsed,
  }: { readonly headWidth: number; readonly kind: (typeof kinds)[number]; readonly isUsed: boolean },
): Rotary {
  if (config.has('rope_scaling'))
    throw config.unsupported('rope_scaling', 'supports only rope_parameters by layer type')
  const parameters = config.section('rope_parameters')
  if (parameters === undefined) return readRotary(config, { headWidth, base: bases[kind], fraction: 0.5 })
  const other = isUsed ? undefined : kinds.find((name) => name !== kind)
  const section = parameters.section(kind) ?? (other === undefined ? undefined : parameters.section(other))
  if (section === undefined) throw parameters.refuse(kind, 'is missing')
  section.only('rope_type', ['default'], 'asks for rotary scaling that is not supported')
  return readRotary(section, { headWidth })
}
