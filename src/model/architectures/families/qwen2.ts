/**
 * Qwen2 and Qwen2.5 (Yang et al. 2024): LLaMA with biases on q, k and v, and a sliding window in the upper layers where
 * switched on.
 */
import type { ConfigReader } from '../config-reader.ts'
import { readDecoder, widenWindow } from '../decoder.ts'
import type { Family } from '../family.ts'
import { layerTypes } from '../layer-types.ts'
import type { BlockSpec } from '../spec.ts'
import { llama } from './llama.ts'

export const qwen2 = {
  title: 'Qwen2',
  notes: 'biases on q, k, v only; sliding window from max_window_layers on where use_sliding_window is true',
  modelTypes: ['qwen2'],
  classes: ['Qwen2'],
  spec: (config) => {
    const decoder = readDecoder(config, { maxTokens: 32_768, keyHeads: 32 })
    return {
      ...decoder,
      attention: { ...decoder.attention, bias: { qkv: true, out: false } },
      mlp: { ...decoder.mlp, bias: false },
      block: upperWindows(config, decoder.layers),
    }
  },
  prefixes: llama.prefixes,
  tensors: llama.tensors,
} as const satisfies Family

/**
 * Layers with a sliding window: those in `layer_types`, or otherwise those from `max_window_layers` on, if sliding
 * windows are enabled at all.
 */
export function upperWindows(config: ConfigReader, layers: number): (layer: number) => Partial<BlockSpec> {
  const on = config.flag('use_sliding_window', false) && !config.isNull('sliding_window')
  const window = on ? widenWindow(config, config.int('sliding_window', 4096)) : undefined
  const first = config.int('max_window_layers', 28, { min: 0 })
  const types = layerTypes(config, layers, (layer) =>
    window !== undefined && layer >= first ? 'sliding_attention' : 'full_attention',
  )
  if (window === undefined && types.includes('sliding_attention'))
    throw config.refuse('layer_types', 'has sliding layers, but use_sliding_window is off')
  return (layer) => ({ window: types[layer] === 'sliding_attention' ? window : undefined })
}
