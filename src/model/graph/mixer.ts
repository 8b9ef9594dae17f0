/** The half of a block that carries a state along the text. */
import type { BlockSpec, MixerSpec } from '#model/architectures'
import type { Value } from './builder.ts'
import { fourierMix } from './fourier.ts'
import { gatedDelta } from './gated-delta.ts'
import { gatedRecurrence } from './gated-recurrence.ts'
import { lightningAttention } from './lightning.ts'
import { mlstm } from './mlstm.ts'
import { selectiveScan } from './selective-scan.ts'
import { shortConvolution } from './short-convolution.ts'
import { stateSpaceDuality } from './state-space-duality.ts'
import { weightedAverage } from './weighted-average.ts'
import type { Wiring } from './wiring.ts'

/** [B × S × W] → [B × S × W], residual not added. */
export function mixAlong(wiring: Wiring, x: Value, block: BlockSpec, mixer: MixerSpec): Value {
  switch (mixer.kind) {
    case 'selective':
      return selectiveScan(wiring, x, block, mixer)
    case 'state-space-duality':
      return stateSpaceDuality(wiring, x, block, mixer)
    case 'gated-delta':
      return gatedDelta(wiring, x, block, mixer)
    case 'lightning':
      return lightningAttention(wiring, x, block, mixer)
    case 'mlstm':
      return mlstm(wiring, x, block, mixer)
    case 'gated-recurrence':
      return gatedRecurrence(wiring, x, block, mixer)
    case 'fourier':
      return fourierMix(wiring, x)
    case 'short-convolution':
      return shortConvolution(wiring, x, block, mixer)
    case 'weighted-average':
      return weightedAverage(wiring, x, block, mixer)
    default:
      return mixer satisfies never
  }
}
