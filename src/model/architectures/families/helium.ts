/** Helium 1 (Kyutai 2025): LLaMA with interleaved rotary positions. */
import { interleaved, readDecoder } from '../decoder.ts'
import type { Family } from '../family.ts'
import { llama } from './llama.ts'

export const helium = {
  title: 'Helium',
  notes: 'as LLaMA with interleaved rotary, no bias on the way out of attention',
  modelTypes: ['helium'],
  classes: ['Helium'],
  spec: (config) => {
    const decoder = readDecoder(config, {
      maxTokens: 4096,
      padId: 3,
      keyHeads: 20,
      headWidth: 128,
      epsilon: 1e-8,
      base: 100_000,
    })
    const attention = interleaved(decoder)
    if (attention.heads * attention.headWidth !== decoder.width)
      throw config.unsupported('head_dim', 'heads of this family share the width evenly')
    return { ...decoder, attention: { ...attention, bias: { ...attention.bias, out: false } } }
  },
  prefixes: llama.prefixes,
  tensors: llama.tensors,
} as const satisfies Family
