/** EXAONE 4 (LG AI Research 2025): norms after both halves, on every query and key head; global layers without positions. */
import type { ConfigReader } from '../config-reader.ts'
import { readDecoder, readWindow } from '../decoder.ts'
import type { Family } from '../family.ts'
import { layerTypes } from '../layer-types.ts'
import type { LayerType } from '../rotary.ts'
import { olmo2 } from './olmo2.ts'

export const exaone4 = {
  title: 'EXAONE 4',
  notes:
    'norms on the outputs of attention and MLP, RMS norm on q and k per head; global layers of hybrids have no positions',
  modelTypes: ['exaone4'],
  classes: ['Exaone4'],
  spec: (config) => {
    const decoder = readDecoder(config, { maxTokens: 2048, keyHeads: 32, epsilon: 1e-5 })
    const window = readWindow(config, 4096)
    const types = readTypes(config, decoder.layers, window !== undefined)
    return {
      ...decoder,
      placement: 'after',
      attention: {
        ...decoder.attention,
        bias: { qkv: false, out: false },
        queryKeyNorm: { over: 'head', norm: decoder.norm },
      },
      mlp: { ...decoder.mlp, bias: false },
      block: (layer) => {
        if (window === undefined) return {}
        return types[layer] === 'sliding_attention' ? { window } : { rotary: undefined }
      },
    }
  },
  prefixes: olmo2.prefixes,
  tensors: olmo2.tensors,
} as const satisfies Family

/** Every n-th layer is global; `LLLG` of the first configs comes with `layer_types`. */
function readTypes(config: ConfigReader, layers: number, windowed: boolean): readonly LayerType[] {
  if (!windowed && !config.has('layer_types')) return []
  const key = 'sliding_window_pattern'
  const derived = !config.has('layer_types')
  if (derived && config.isText(key))
    throw config.unsupported(key, 'a pattern in letters is read only together with layer_types')
  const every = derived ? config.int(key, 4) : 1
  return layerTypes(config, layers, (layer) => ((layer + 1) % every === 0 ? 'full_attention' : 'sliding_attention'))
}
