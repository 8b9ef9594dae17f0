/** SmolLM3 (Hugging Face 2025): LLaMA with every n-th layer free of positions. */
import type { ConfigReader } from '../config-reader.ts'
import { readDecoder } from '../decoder.ts'
import type { Family } from '../family.ts'
import { layerTypes } from '../layer-types.ts'
import { llama } from './llama.ts'

export const smollm3 = {
  title: 'SmolLM3',
  notes: 'every no_rope_layer_interval-th layer (or as no_rope_layers says) has no rotary positions, tied head',
  modelTypes: ['smollm3'],
  classes: ['SmolLM3'],
  spec: (config) => {
    const decoder = readDecoder(config, { maxTokens: 32_768, tied: true, keyHeads: 4, rotary: { base: 2_000_000 } })
    const rotary = rotaryLayers(config, decoder.layers)
    const window = config.flag('use_sliding_window', false) ? config.optionalInt('sliding_window') : undefined
    const types = layerTypes(config, decoder.layers, (layer) =>
      window !== undefined && !rotary[layer] ? 'sliding_attention' : 'full_attention',
    )
    return {
      ...decoder,
      padId: config.int('pad_token_id', 128_004, { min: -1 }),
      block: (layer) => ({
        window: types[layer] === 'sliding_attention' ? window : undefined,
        ...(rotary[layer] ? {} : { rotary: undefined }),
      }),
    }
  },
  prefixes: llama.prefixes,
  tensors: llama.tensors,
  depth: { lists: ['layer_types', 'no_rope_layers'] },
} as const satisfies Family

/** Whether each layer has rotary positions; `no_rope_layers` holds 1 for those that do. */
function rotaryLayers(config: ConfigReader, layers: number): readonly boolean[] {
  const written = config.numbers('no_rope_layers')
  const every = config.int('no_rope_layer_interval', 4)
  if (written !== undefined && written.length !== layers)
    throw config.refuse('no_rope_layers', `names ${written.length} layers`, layers)
  return Array.from({ length: layers }, (_, layer) =>
    written === undefined ? (layer + 1) % every !== 0 : written[layer] !== 0,
  )
}
