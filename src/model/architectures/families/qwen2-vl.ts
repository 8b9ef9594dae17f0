/**
 * Language models of Qwen2-VL, Qwen2.5-VL and Qwen2.5-Omni (Wang et al. 2024): Qwen2. Their rotary positions have three
 * parts, which are one and the same for text.
 */
import type { Family } from '../family.ts'
import { qwen2, readQwen2 } from './qwen2.ts'

const rotary = { aliases: { mrope: 'default' } }

export const qwen2Vl = {
  ...qwen2,
  title: 'Qwen2-VL (text)',
  notes: 'Qwen2; the three parts of rotary positions are one for text',
  modelTypes: ['qwen2_vl_text', 'qwen2_5_vl_text'],
  classes: ['Qwen2VL', 'Qwen2_5_VL'],
  spec: (config) => readQwen2(config, { maxTokens: 32_768, keyHeads: 8, epsilon: 1e-5, base: 1e6, rotary }, 80),
} as const satisfies Family

export const qwen2Omni = {
  ...qwen2Vl,
  title: 'Qwen2.5-Omni (text)',
  modelTypes: ['qwen2_5_omni_text'],
  classes: ['Qwen2_5Omni', 'Qwen2_5OmniThinker'],
  spec: (config) => readQwen2(config, { maxTokens: 32_768, keyHeads: 4, tied: true, base: 1e6, rotary }),
} as const satisfies Family
