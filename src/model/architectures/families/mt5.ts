/** mT5's encoder (Xue et al. 2021): T5 with a gated MLP by default. */
import type { Family } from '../family.ts'
import { t5, t5Spec } from './t5.ts'

export const mt5 = {
  ...t5,
  title: 'mT5 (encoder)',
  notes: 'as T5, gated MLP',
  modelTypes: ['mt5'],
  classes: ['MT5'],
  spec: (config) => t5Spec(config, 'gated-gelu'),
  encoderClass: 'MT5EncoderModel',
} as const satisfies Family
