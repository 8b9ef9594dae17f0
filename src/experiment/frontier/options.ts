/** What a frontier is asked. */
import type { SweepOptions, SweepResult } from '#experiment/sweep'
import type { GridPoint } from '#representation/layers'

export interface FrontierOptions extends Omit<SweepOptions, 'representations' | 'keep'> {
  readonly points: readonly GridPoint[]
  /** Score that the choice may lose against the best one on the validation rows, 0 … 1. Default: 0.01, one point. */
  readonly loss?: number | undefined
  /** Folder of validation results, which later runs reuse. */
  readonly validationFolder: string
  /** Receives each test result as it is on disk, reused ones too. */
  readonly onResult?: ((result: SweepResult) => void) | undefined
}
