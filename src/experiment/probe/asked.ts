/** What is asked of a probing run, and which data sets of a collection it means. */
import type { CallOptions } from '#core'
import type { Model } from '#model/checkpoint'
import type { VectorStore } from '#platform/vectors'
import type { ProbeCollection, ProbeControl, ProbeDataSet, ProbeSettings, TaskType } from '#task/probing'

export interface ProbeOptions extends CallOptions {
  readonly layers: readonly number[]
  /** Only data sets of these types. */
  readonly taskTypes?: readonly TaskType[] | undefined
  /** Only data sets of these names, with * as in globs. */
  readonly names?: readonly string[] | undefined
  /** Beside the data as it is. */
  readonly controls?: readonly ProbeControl[] | undefined
  readonly settings: ProbeSettings
  readonly seeds: readonly number[]
  /** Of results. */
  readonly outputFolder: string
  /** Of the journal of probes, and of tables of this run alone; default: that of results. */
  readonly workFolder?: string | undefined
  readonly store?: VectorStore | undefined
  readonly threads?: number | undefined
  /** Opens the model of `random-weights`, which no other control needs. */
  readonly openUntrained?: (() => Promise<Model>) | undefined
}

/** The data as it is comes first: every control is compared with it. */
export function controlsOf({ controls = [] }: Pick<ProbeOptions, 'controls'>): ProbeControl[] {
  return ['none', ...controls.filter((control) => control !== 'none')]
}

/** Data sets that are asked for. */
export async function* asked(
  collection: ProbeCollection,
  { taskTypes, names }: Pick<ProbeOptions, 'taskTypes' | 'names'>,
): AsyncGenerator<ProbeDataSet> {
  const patterns = names?.map(
    (name) => new RegExp(`^${name.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll('*', '.*')}$`),
  )
  for await (const dataSet of collection.dataSets()) {
    if (taskTypes !== undefined && !taskTypes.includes(dataSet.taskType)) continue
    if (patterns !== undefined && !patterns.some((pattern) => pattern.test(dataSet.name))) continue
    yield dataSet
  }
}
