/** What came of a probing run. */
import type { Fault } from '#core'
import type { ProbeDataSet } from '#task/probing'
import type { ProbeUnit } from './units.ts'

/** What came of one data set. */
export interface ProbedDataSet {
  readonly dataSet: Pick<ProbeDataSet, 'name' | 'taskType' | 'classes' | 'subfield' | 'phenomenon'>
  readonly units: readonly ProbeUnit[]
  readonly fault?: Fault | undefined
}

export interface Probed {
  readonly model: string
  readonly revision: string
  /** The collection's name, which result files carry. */
  readonly version: string
  readonly dataSets: readonly ProbedDataSet[]
  /** Probes that were trained now, and that were there already. */
  readonly trained: number
  readonly reused: number
}
