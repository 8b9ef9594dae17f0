/**
 * Qwen2 and Qwen2.5 (Yang et al. 2024): LLaMA with biases on q, k and v, and a sliding window in the upper layers where
 * switched on.
 */
import type { ConfigReader } from '../config-reader.ts'
import { type Decoder, type DecoderDefaults, readDecoder, widenWindow } from '../decoder.ts'
import type { Family } from '../family.ts'
import { layerTypes } from '../layer-types.ts'
import type { BlockSpec } from '../spec.ts'
import { llama } from './llama.ts'

export const qwen2 = {
  title: 'Qwen2',
  notes: 'biases on q, k, v only; sliding window from max_window_layers on where use_sliding_window is true',
  modelTypes: ['qwen2'],
  classes: ['Qwen2'],
  spec: (config) => readQwen2(config, { maxTokens: 32_768, keyHeads: 32 }),
  prefixes: llama.prefixes,
  tensors: llama.tensors,
} as const satisfies Family

/** `firstWindow` is `max_window_layers` where it is left out. */
export function readQwen2(config: ConfigReader, defaults: DecoderDefaults, firstWindow = 28): Decoder {
  const decoder = readDecoder(config, defaults)
  return {
    ...decoder,
    attention: { ...decoder.attention, bias: { qkv: true, out: false } },
    mlp: { ...decoder.mlp, bias: false },
    block: upperWindows(config, decoder.layers, firstWindow),
  }
}

/**
 * Layers with a sliding window: those in `layer_types`, or otherwise those from `max_window_layers` on, if sliding
 * windows are enabled at all.
 */
export function upperWindows(
  config: ConfigReader,
  layers: number,
  firstWindow = 28,
): (layer: number) => Pick<BlockSpec, 'window'> {
  const on = config.flag('use_sliding_window', false) && !config.isNull('sliding_window')
  const window = on ? widenWindow(config, config.int('sliding_window', 4096)) : undefined
  const first = config.int('max_window_layers', firstWindow, { min: 0 })
  const types = layerTypes(config, layers, (layer) =>
    window !== undefined && layer >= first ? 'sliding_attention' : 'full_attention',
  )
  if (window === undefined && types.includes('sliding_attention'))
    throw config.refuse('layer_types', 'has sliding layers, but use_sliding_window is off')
  return (layer) => ({ window: types[layer] === 'sliding_attention' ? window : undefined })
}
