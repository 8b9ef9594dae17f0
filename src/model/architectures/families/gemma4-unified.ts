/** The text model of Gemma 4's unified checkpoints (Gemma Team 2026): Gemma 4 without layer inputs. */
import type { Family } from '../family.ts'
import { gemma4, readGemma4 } from './gemma4.ts'

export const gemma4Unified = {
  ...gemma4,
  title: 'Gemma 4 unified (text)',
  notes: 'as Gemma 4 without per-layer embeddings',
  modelTypes: ['gemma4_unified_text'],
  classes: ['Gemma4Unified'],
  spec: (config) => readGemma4(config, { maxTokens: 262_144, window: 1024 }),
} as const satisfies Family
