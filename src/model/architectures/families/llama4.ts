/** Llama 4's text model (Meta 2025): experts on weighted inputs, attention in chunks, layers without positions. */
import type { ConfigReader } from '../config-reader.ts'
import { readDecoder } from '../decoder.ts'
import { denseWhere, readExperts, sharedExpert, sharedRows, softmaxRouting } from '../experts.ts'
import type { Family } from '../family.ts'
import { limits } from '../sizes.ts'
import { llama } from './llama.ts'

export const llama4 = {
  title: 'Llama 4 (text)',
  notes:
    'sigmoids of the top-k logits weigh what experts compute from, a shared expert of the same width; interleaved rotary and a norm without weights in layers with positions, chunks in these, temperature in the others',
  modelTypes: ['llama4_text'],
  classes: ['Llama4'],
  spec: (config) => {
    const decoder = readDecoder(config, {
      maxTokens: 131_072,
      keyHeads: 8,
      headWidth: 128,
      epsilon: 1e-5,
      base: 500_000,
    })
    const { layers, norm } = decoder
    const turns = readTurning(config, layers)
    const chunk = config.isNull('attention_chunk_size') ? undefined : config.int('attention_chunk_size', 8192)
    const types = readTypes(config, layers) ?? turns.map((turn) => turn && chunk !== undefined)
    const denseWidth = config.int('intermediate_size_mlp', 16_384, { max: limits.width })
    const denseAt = denseWhere(readDense(config, layers), { ...decoder.mlp, bias: false, width: denseWidth })
    const queryKeyNorm = { over: 'head', norm: { ...norm, weight: 'none' }, place: 'after-rotary' } as const
    const temperature = config.flag('attn_temperature_tuning', true)
      ? ({
          strength: config.number('attn_scale', 0.1),
          length: config.number('floor_scale', 8192, { min: 1e-3 }),
          offset: 1,
          byColumn: true,
        } as const)
      : undefined
    const { positions } = decoder.attention
    const tables = positions.kind === 'rotary' ? positions.tables : []
    const normed = config.flag('use_qk_norm', true)
    return {
      ...decoder,
      attention: {
        ...decoder.attention,
        positions: { kind: 'rotary', tables: tables.map((table) => ({ ...table, interleaved: true })) },
      },
      mlp: readExperts(config, {
        activation: decoder.mlp.activation,
        routing: { ...softmaxRouting, scores: 'sigmoid', weigh: 'inputs' },
        experts: [['num_local_experts', 'num_experts'], 16],
        perToken: ['num_experts_per_tok', 1],
        width: ['intermediate_size', 8192],
        shared: sharedExpert(decoder.mlp.width),
        stacked: { in: 'in-out', out: 'in-out', interleaved: false },
      }),
      block: (layer) => ({
        ...denseAt(layer),
        ...(types[layer] === true ? { chunk } : {}),
        ...(turns[layer] === true
          ? { attention: { queryKeyNorm: normed ? queryKeyNorm : undefined } }
          : { rotary: undefined, attention: { temperature } }),
      }),
    }
  },
  prefixes: ['model.', 'language_model.model.', 'model.language_model.', ''],
  tensors: {
    ...llama.tensors,
    ...sharedRows('layers.{i}.feed_forward.shared_expert'),
    'block.mlp.gate': 'layers.{i}.feed_forward.gate_proj.*',
    'block.mlp.up': 'layers.{i}.feed_forward.up_proj.*',
    'block.mlp.out': 'layers.{i}.feed_forward.down_proj.*',
    'block.mlp.router': 'layers.{i}.feed_forward.router.weight',
    'block.mlp.stacked.in': 'layers.{i}.feed_forward.experts.gate_up_proj',
    'block.mlp.stacked.out': 'layers.{i}.feed_forward.experts.down_proj',
    'head.causal': { outside: ['lm_head.weight', 'language_model.lm_head.weight'] },
  },
  depth: { lists: ['layer_types', 'no_rope_layers'] },
} as const satisfies Family

/** Layers with positions; an empty list counts as none written. */
function readTurning(config: ConfigReader, layers: number): readonly boolean[] {
  const written = config.numbers('no_rope_layers') ?? []
  const every = config.int('no_rope_layer_interval', 4)
  if (written.length === 0) return Array.from({ length: layers }, (_, layer) => (layer + 1) % every !== 0)
  if (written.length !== layers) throw config.refuse('no_rope_layers', `names ${written.length} layers`, layers)
  return written.map((turns) => turns !== 0)
}

/** Whether a layer attends within chunks. */
function readTypes(config: ConfigReader, layers: number): readonly boolean[] | undefined {
  const types = config.list('layer_types')
  if (types === undefined) return undefined
  if (types.length !== layers) throw config.refuse('layer_types', `names ${types.length} layers`, layers)
  if (types.some((type) => type !== 'chunked_attention' && type !== 'full_attention'))
    throw config.unsupported('layer_types', 'supports only chunked_attention and full_attention')
  if (types.includes('chunked_attention') && config.isNull('attention_chunk_size'))
    throw config.refuse('attention_chunk_size', 'is missing')
  return types.map((type) => type === 'chunked_attention')
}

function readDense(config: ConfigReader, layers: number): (layer: number) => boolean {
  const step = config.int('interleave_moe_layer_step', 1)
  const listed = config.numbers('moe_layers')
  if (listed?.some((layer) => layer >= layers) === true && listed.length > layers)
    throw config.refuse('moe_layers', `names more than ${layers} layers`)
  return (layer) => (listed === undefined ? (layer + 1) % step !== 0 : !listed.includes(layer))
}
