/** Ministral (Mistral AI 2024): Mistral whose layers choose by type between a window and everything. */
import { readDecoder, readWindow } from '../decoder.ts'
import type { Family } from '../family.ts'
import { windowsByType } from '../layer-types.ts'
import { llama } from './llama.ts'

export const ministral = {
  title: 'Ministral',
  notes: 'as Mistral; layer_types say which layers have the sliding window',
  modelTypes: ['ministral'],
  classes: ['Ministral'],
  spec: (config) => {
    const decoder = readDecoder(config, { maxTokens: 131_072, keyHeads: 8 })
    const window = readWindow(config, 4096)
    const isLocal = windowsByType(config, decoder.layers, window, () => window !== undefined)
    return {
      ...decoder,
      attention: { ...decoder.attention, bias: { qkv: false, out: false } },
      mlp: { ...decoder.mlp, bias: false },
      block: (layer) => (isLocal(layer) ? { window } : {}),
    }
  },
  prefixes: llama.prefixes,
  tensors: llama.tensors,
} as const satisfies Family
