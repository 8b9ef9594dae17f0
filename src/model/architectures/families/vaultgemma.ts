/** VaultGemma (Google 2025): Gemma 2 without the norms after both halves. */
import type { Family } from '../family.ts'
import { gemma2 } from './gemma2.ts'
import { llama } from './llama.ts'

export const vaultgemma = {
  title: 'VaultGemma',
  notes: 'as Gemma 2 with norms only before both halves',
  modelTypes: ['vaultgemma'],
  classes: ['VaultGemma'],
  spec: (config) => {
    const { heads, ...decoder } = gemma2.spec(config)
    return { ...decoder, placement: 'before', heads: { causal: heads.causal } }
  },
  prefixes: gemma2.prefixes,
  tensors: { ...llama.tensors, 'block.norm2': gemma2.tensors['block.norm2'] },
} as const satisfies Family
