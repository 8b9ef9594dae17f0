/** Options of a probing run, and the data sets of a collection that they select. */
import { type CallOptions, fault, suggestion } from '#core'
import type { Model } from '#model/checkpoint'
import type { VectorStore } from '#platform/vectors'
import type { ProbeCollection, ProbeControl, ProbeDataSet, ProbeSettings, TaskType } from '#task/probing'

export interface ProbeOptions extends CallOptions {
  readonly layers: readonly number[]
  /** Only data sets of these types. */
  readonly taskTypes?: readonly TaskType[] | undefined
  /** Only data sets with these names; * matches any characters. */
  readonly names?: readonly string[] | undefined
  /** Controls in addition to the unchanged data. */
  readonly controls?: readonly ProbeControl[] | undefined
  readonly settings: ProbeSettings
  readonly seeds: readonly number[]
  /** Folder of results. */
  readonly outputFolder: string
  /** Folder of the journal of probes, and of tables of this run alone; default: the folder of results. */
  readonly workFolder?: string | undefined
  readonly store?: VectorStore | undefined
  readonly threads?: number | undefined
  /** Opens the model of `random-weights`, which no other control needs. */
  readonly openUntrained?: (() => Promise<Model>) | undefined
}

/** The unchanged data come first: every control is compared with them. */
export function listControls({ controls = [] }: Pick<ProbeOptions, 'controls'>): ProbeControl[] {
  return ['none', ...controls.filter((control) => control !== 'none')]
}

/** The selected data sets. */
export async function* selectDataSets(
  collection: ProbeCollection,
  { taskTypes, names }: Pick<ProbeOptions, 'taskTypes' | 'names'>,
): AsyncGenerator<ProbeDataSet> {
  const patterns = names?.map(toPattern)
  for await (const dataSet of collection.dataSets()) {
    if (taskTypes !== undefined && !taskTypes.includes(dataSet.taskType)) continue
    if (patterns !== undefined && !patterns.some((pattern) => pattern.test(dataSet.name))) continue
    yield dataSet
  }
}

/** Throws `task.unknown` for a name that no data set of the collection has, with the nearest. Reads all of it. */
export async function checkDataSetNames(collection: ProbeCollection, names: readonly string[]): Promise<void> {
  const known: string[] = []
  for await (const { name } of collection.dataSets()) known.push(name)
  const idle = names.find((name) => !known.some((one) => toPattern(name).test(one)))
  if (idle !== undefined)
    throw fault('task.unknown', {
      place: '--only',
      what: `${collection.name} has no data set of this name`,
      seen: idle,
      hint: suggestion(idle, known),
    })
}

/** `*` matches any characters. */
function toPattern(name: string): RegExp {
  return new RegExp(`^${name.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll('*', '.*')}$`)
}
