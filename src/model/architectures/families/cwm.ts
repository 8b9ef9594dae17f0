/** Code World Model (Meta 2025): LLaMA 3 with local layers. */
import { readDecoder, readWindow } from '../decoder.ts'
import type { Family } from '../family.ts'
import { causalHead } from '../heads.ts'
import { windowsByType } from '../layer-types.ts'
import { llama } from './llama.ts'

export const cwm = {
  title: 'Code World Model',
  notes: 'as LLaMA 3 without biases on q, k, v; every fourth layer is global, the others local',
  modelTypes: ['cwm'],
  classes: ['Cwm'],
  spec: (config) => {
    const decoder = readDecoder(config, {
      maxTokens: 131_072,
      keyHeads: 8,
      headWidth: 128,
      epsilon: 1e-5,
      base: 1_000_000,
      rotary: {
        usual: {
          rope_type: 'llama3',
          rope_theta: 1_000_000,
          factor: 16,
          high_freq_factor: 4,
          low_freq_factor: 1,
          original_max_position_embeddings: 8192,
        },
      },
    })
    const window = readWindow(config, 8192)
    const isLocal = windowsByType(config, decoder.layers, window, (layer) => layer % 4 !== 0)
    return {
      ...decoder,
      attention: { ...decoder.attention, bias: { qkv: false, out: false } },
      block: (layer) => (isLocal(layer) ? { window } : {}),
      heads: { causal: causalHead({ tied: config.flag('tie_word_embeddings', false) }) },
    }
  },
  prefixes: llama.prefixes,
  tensors: llama.tensors,
} as const satisfies Family
