/** IQuest-Coder (IQuest Lab 2026): LLaMA with wide heads. */
import { readDecoder } from '../decoder.ts'
import type { Family } from '../family.ts'
import { llama } from './llama.ts'

export const iquestcoder = {
  ...llama,
  title: 'IQuest-Coder',
  notes: 'as LLaMA; clip_qkv and windows, which no released checkpoint has, are refused',
  modelTypes: ['iquestcoder'],
  classes: ['IQuestCoder'],
  spec: (config) => {
    if (config.has('clip_qkv')) throw config.unsupported('clip_qkv', 'the reference has none for this family')
    if (config.flag('use_sliding_window', false))
      throw config.unsupported('use_sliding_window', 'the reference has none for this family')
    return readDecoder(config, { maxTokens: 131_072, keyHeads: 8, headWidth: 128, epsilon: 1e-5 })
  },
} as const satisfies Family
