/** Gemma 3n's text model (Gemma Team 2025): several streams, layer inputs, a low-rank branch, shared keys, sparse gates. */
import type { ConfigReader } from '../config-reader.ts'
import { readDecoder } from '../decoder.ts'
import type { Family } from '../family.ts'
import { causalHead } from '../heads.ts'
import { layerTypes } from '../layer-types.ts'
import { normalQuantile } from '../normal-quantile.ts'
import { readRotary } from '../rotary.ts'
import { readSharedKeys } from '../shared-keys.ts'
import { limits } from '../sizes.ts'
import type { NormSpec } from '../spec.ts'
import { capStep, readCap } from './gemma2.ts'
import { gemma3 } from './gemma3.ts'

export const gemma3n = {
  title: 'Gemma 3n (text)',
  notes:
    'streams that blocks predict and correct (AltUp; a hidden state is the active one), low-rank branches (LAuReL), per-layer embeddings, upper layers with the keys of lower ones, sparse gates',
  modelTypes: ['gemma3n_text'],
  classes: ['Gemma3n'],
  depth: { lists: ['layer_types', 'intermediate_size', 'activation_sparsity_pattern'] },
  spec: (config) => {
    const layers = config.int('num_hidden_layers', undefined, { max: limits.layers })
    const widths = readWidths(config, layers)
    const decoder = readDecoder(config, {
      maxTokens: 32_768,
      tied: true,
      padId: 0,
      keyHeads: 2,
      headWidth: 256,
      activationKey: 'hidden_activation',
      activation: 'gelu_pytorch_tanh',
      mlpWidth: widths[0] ?? 0,
      rotary: { base: 1_000_000, layerType: 'full_attention' },
    })
    const { attention, norm } = decoder
    const types = layerTypes(config, layers, (layer) =>
      (layer + 1) % 5 === 0 ? 'full_attention' : 'sliding_attention',
    )
    const keysOf = readSharedKeys(config, types, 15)
    const window = config.int('sliding_window', 512)
    const local = readRotary(config, {
      headWidth: attention.headWidth,
      baseKey: 'rope_local_base_freq',
      layerType: 'sliding_attention',
    })
    const cutoffs = readCutoffs(config, layers)
    const unscaled: NormSpec = { ...norm, weight: 'none' }
    return {
      ...decoder,
      placement: 'around',
      embedding: { multiplier: Math.sqrt(decoder.width) },
      attention: {
        ...attention,
        queryKeyNorm: { over: 'head', norm },
        valueNorm: unscaled,
        positions: {
          kind: 'rotary',
          tables: [...(attention.positions.kind === 'rotary' ? attention.positions.tables : []), local],
        },
      },
      scale: 1,
      final: { norm: true, lastState: 'raw' },
      block: (layer) => ({
        keysOf: keysOf[layer],
        ...(types[layer] === 'sliding_attention' ? { window, rotary: 1 } : {}),
        mlp: { ...decoder.mlp, width: widths[layer] ?? 0, cutoff: cutoffs[layer], bias: false },
      }),
      layerInputs: {
        width: config.int('hidden_size_per_layer_input', 256, { max: limits.width }),
        rows: config.int('vocab_size_per_layer_input', 262_144, { max: limits.vocabulary }),
        blocks: layers,
      },
      streams: readStreams(config),
      laurel: config.int('laurel_rank', 64, { max: limits.width }),
      heads: {
        causal: causalHead({
          tied: config.flag('tie_word_embeddings', true),
          after: capStep(readCap(config, 'final_logit_softcapping', 30)),
        }),
      },
    }
  },
  prefixes: ['model.', 'model.language_model.', ''],
  tensors: {
    ...gemma3.tensors,
    'embed.layers': 'embed_tokens_per_layer.weight',
    'embed.layers.project': 'per_layer_model_projection.*',
    'embed.layers.norm': 'per_layer_projection_norm.*',
    'embed.streams': 'altup_projections.{j}.*',
    'final.streams': 'altup_unembed_projections.{j}.*',
    'block.layers.gate': 'layers.{i}.per_layer_input_gate.*',
    'block.layers.project': 'layers.{i}.per_layer_projection.*',
    'block.layers.norm': 'layers.{i}.post_per_layer_input_norm.*',
    'block.streams.norm': 'layers.{i}.altup.router_norm.*',
    'block.streams.route': 'layers.{i}.altup.modality_router.*',
    'block.streams.predict': 'layers.{i}.altup.prediction_coefs.*',
    'block.streams.correct': 'layers.{i}.altup.correction_coefs.*',
    'block.streams.scale': 'layers.{i}.altup.correct_output_scale',
    'block.laurel.down': 'layers.{i}.laurel.linear_left.*',
    'block.laurel.up': 'layers.{i}.laurel.linear_right.*',
    'block.laurel.norm': 'layers.{i}.laurel.post_laurel_norm.*',
  },
} as const satisfies Family

function readWidths(config: ConfigReader, layers: number): readonly number[] {
  const key = 'intermediate_size'
  if (!config.isList(key)) {
    const width = config.int(key, 16_384, { max: limits.width })
    return Array.from({ length: layers }, () => width)
  }
  const widths = config.numbers(key) ?? []
  if (widths.length !== layers) throw config.refuse(key, `names ${widths.length} layers`, layers)
  if (widths.some((width) => !Number.isInteger(width) || width < 1 || width > limits.width))
    throw config.refuse(key, 'holds something that is not a width')
  return widths
}

/** Deviations above the mean that let as many gates through as the pattern says; undefined for all of them. */
function readCutoffs(config: ConfigReader, layers: number): readonly (number | undefined)[] {
  const key = 'activation_sparsity_pattern'
  const single = config.isList(key) ? undefined : config.optionalNumber(key)
  if (single !== undefined) throw config.unsupported(key, 'the reference reads a list, one share per layer')
  const written = config.numbers(key)
  const sparse = layers > 10 ? 10 : 0
  const shares = written ?? Array.from({ length: layers }, (_, layer) => (layer < sparse ? 0.95 : 0))
  if (shares.length !== layers) throw config.refuse(key, `names ${shares.length} layers`, layers)
  if (shares.some((share) => share >= 1)) throw config.refuse(key, 'holds a share of 1 or more')
  return shares.map((share) => (share > 0 ? normalQuantile(Math.fround(share)) : undefined))
}

function readStreams(config: ConfigReader): { count: number; active: number; scaled: boolean } {
  const count = config.int('altup_num_inputs', 4, { min: 2, max: 64 })
  return {
    count,
    active: config.int('altup_active_idx', 0, { min: 0, max: count - 1 }),
    scaled: config.flag('altup_correct_scale', true),
  }
}
