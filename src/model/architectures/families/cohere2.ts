/** Command R7B and A (Cohere 2025): Command R with local layers; the global ones have no positions. */
import { readWindow } from '../decoder.ts'
import type { Family } from '../family.ts'
import { layerTypes } from '../layer-types.ts'
import { cohere, readCohere } from './cohere.ts'
import { llama } from './llama.ts'

export const cohere2 = {
  title: 'Command R7B and A (Cohere 2)',
  notes: 'as Command R; three of four layers are local, the global ones have no positions',
  modelTypes: ['cohere2'],
  classes: ['Cohere2'],
  spec: (config) => {
    const decoder = readCohere(config, undefined)
    if (decoder.attention.headWidth * decoder.attention.heads !== decoder.width)
      throw config.unsupported('head_dim', 'heads of this family share the width evenly')
    const window = readWindow(config, 4096)
    const every = config.int('sliding_window_pattern', 4)
    const types = layerTypes(config, decoder.layers, (layer) =>
      (layer + 1) % every === 0 ? 'full_attention' : 'sliding_attention',
    )
    // Positions belong to the window: without one no layer has them.
    return {
      ...decoder,
      block: (layer) =>
        types[layer] === 'sliding_attention' && window !== undefined ? { window } : { rotary: undefined },
    }
  },
  prefixes: cohere.prefixes,
  tensors: llama.tensors,
} as const satisfies Family
