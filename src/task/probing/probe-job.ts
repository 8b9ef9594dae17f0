/** What a probe is trained on: plain values, which a thread can be handed. */
import type { Matrix } from '#core'
import type { ProbeSettings } from './settings.ts'

export interface ProbeJob {
  readonly x: Matrix
  /** A class or a number for each row. */
  readonly labels: Float64Array
  /** 1 for a number. */
  readonly classes: number
  readonly train: Int32Array
  readonly dev: Int32Array
  readonly test: Int32Array
  /** For each test row, 1 where a training row has the same input. */
  readonly seen: Uint8Array
  readonly seed: number
  readonly settings: Pick<ProbeSettings, 'profile' | 'probe' | 'mdl'>
}
