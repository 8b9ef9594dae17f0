/** Language model of Emu3 (Wang et al. 2024): LLaMA. */
import { readDecoder } from '../decoder.ts'
import type { Family } from '../family.ts'
import { llama } from './llama.ts'

export const emu3 = {
  ...llama,
  title: 'Emu3 (text)',
  notes: 'LLaMA with other defaults',
  modelTypes: ['emu3_text_model'],
  classes: ['Emu3'],
  spec: (config) => readDecoder(config, { maxTokens: 9216, keyHeads: 8, epsilon: 1e-5, base: 1e6 }),
} as const satisfies Family
