/** UltraBERT: LLaMA's blocks as an encoder, most of them with a window and rotary tables of their own. */
import type { ConfigReader } from '../config-reader.ts'
import { readDecoder } from '../decoder.ts'
import type { Family } from '../family.ts'
import { layerTypes } from '../layer-types.ts'
import { type LayerType, readRotary } from '../rotary.ts'
import type { Rotary } from '../spec.ts'
import { llama } from './llama.ts'

export const ultrabert = {
  title: 'UltraBERT',
  notes: 'LLaMA that sees both sides, two layers of three within a window; masked head of three matrices',
  modelTypes: ['ultrabert'],
  classes: ['Ultrabert'],
  spec: (config) => {
    const { attention, ...decoder } = readDecoder(config, { maxTokens: 32_768, rotary: { baseKey: [] } })
    const { layers } = decoder
    // Older configs say windows and bases layer by layer.
    const windows = config.list('attention_windows')
    const isFull = (layer: number): boolean => (windows === undefined ? (layer + 1) % 3 === 0 : !windows[layer])
    const types = layerTypes(config, layers, (layer) => (isFull(layer) ? 'full_attention' : 'sliding_attention'))
    const written = windows?.find((window) => typeof window === 'number' && window > 0)
    const window = (typeof written === 'number' ? written : config.int('sliding_window', 128)) + 1
    const pooling = config.choice('classifier_pooling', ['cls', 'mean'], 'cls')
    return {
      ...decoder,
      causal: false,
      padId: config.int('pad_token_id', 0, { min: -1 }),
      attention: {
        ...attention,
        positions: { kind: 'rotary', tables: readTables(config, attention.headWidth, types) },
      },
      block: (layer) => (types[layer] === 'sliding_attention' ? { window, rotary: 1 } : {}),
      heads: {
        sequence: {
          from: pooling === 'cls' ? 'first' : 'mean',
          steps: [{ do: 'linear', slot: 'head.sequence.out', out: 'labels', bias: true }],
        },
        masked: {
          from: 'tokens',
          steps: [
            { do: 'linear', slot: 'head.masked.dense', out: config.int('prediction_head_size', 768), bias: false },
            { do: 'activation', activation: 'gelu_new' },
            { do: 'linear', slot: 'head.masked.dense2', out: decoder.width, bias: false },
            { do: 'activation', activation: 'gelu_new' },
            {
              do: 'vocabulary',
              slot: 'head.masked.decoder',
              tied: config.flag('tie_word_embeddings', false),
              bias: undefined,
            },
          ],
        },
      },
    }
  },
  prefixes: ['model.', 'ultrabert.', ''],
  tensors: {
    ...llama.tensors,
    'head.sequence.out': { outside: 'classifier.*' },
    // The last names are UltraVBERT's.
    'head.masked.dense': { outside: ['head.linear1.*', 'projection_head.linear1.*'] },
    'head.masked.dense2': { outside: ['head.linear2.*', 'projection_head.linear2.*'] },
    'head.masked.decoder': { outside: ['cls.weight', 'head.decoder.weight', 'lm_head.weight'] },
  },
} as const satisfies Family

function readTables(config: ConfigReader, headWidth: number, types: readonly LayerType[]): readonly Rotary[] {
  const bases = config.isList('rope_theta') ? config.numbers('rope_theta') : undefined
  const table = (layerType: LayerType, usual: number): Rotary => {
    const base = bases?.[types.lastIndexOf(layerType)] ?? usual
    return readRotary(config, { headWidth, base, baseKey: [], layerType })
  }
  return [table('full_attention', 2_560_000), table('sliding_attention', 10_000)]
}
