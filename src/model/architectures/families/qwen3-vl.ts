/** Language model of Qwen3-VL (Bai et al. 2025): Qwen3; the three parts of rotary positions are one for text. */
import { readDecoder } from '../decoder.ts'
import type { Family } from '../family.ts'
import { qwen3 } from './qwen3.ts'

export const qwen3Vl = {
  ...qwen3,
  title: 'Qwen3-VL (text)',
  notes: 'Qwen3 without windows; the three parts of rotary positions are one for text',
  modelTypes: ['qwen3_vl_text'],
  classes: ['Qwen3VL', 'Qwen3VLText'],
  spec: (config) => {
    const decoder = readDecoder(config, {
      maxTokens: 128_000,
      keyHeads: 32,
      headWidth: 128,
      base: 500_000,
      rotary: { aliases: { mrope: 'default' } },
    })
    return {
      ...decoder,
      attention: { ...decoder.attention, queryKeyNorm: { over: 'head', norm: decoder.norm } },
      mlp: { ...decoder.mlp, bias: false },
    }
  },
} as const satisfies Family
