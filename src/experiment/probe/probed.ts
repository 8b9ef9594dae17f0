/** The outcome of a probing run. */
import type { Fault } from '#core'
import type { ProbeDataSet } from '#task/probing'
import type { ProbeUnit } from './units.ts'

/** The outcome for one data set. */
export interface ProbedDataSet {
  readonly dataSet: Pick<ProbeDataSet, 'name' | 'taskType' | 'classes' | 'subfield' | 'phenomenon'>
  readonly units: readonly ProbeUnit[]
  readonly fault?: Fault | undefined
}

export interface Probed {
  readonly model: string
  readonly revision: string
  /** The collection's name, which result files contain. */
  readonly version: string
  readonly dataSets: readonly ProbedDataSet[]
  /** Number of probes trained now, and number that existed already. */
  readonly trained: number
  readonly reused: number
}
