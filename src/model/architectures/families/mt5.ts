/** mT5 (Xue et al. 2021): T5 with a gated MLP and an untied head by default. */
import type { Family } from '../family.ts'
import { t5Spec } from '../t5-blocks.ts'
import { t5Decoder } from './t5-decoder.ts'
import { t5 } from './t5.ts'

export const mt5 = {
  ...t5,
  title: 'mT5 (encoder)',
  notes: 'as T5, gated MLP, a head of its own',
  modelTypes: ['mt5'],
  classes: ['MT5'],
  spec: (config) => t5Spec(config, 'gated-gelu'),
  encoderClass: 'MT5EncoderModel',
  decoder: { ...t5Decoder({ feedForward: 'gated-gelu', tied: false }), title: 'mT5 (decoder)' },
} as const satisfies Family
