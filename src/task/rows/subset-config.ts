/** Which config of a data set a subset is read from. */
import { fault } from '#core'
import { type Dataset } from './dataset.ts'
import { configNamed, type DatasetConfig } from './dataset-layout.ts'
import { rawConfig } from './steps/table.ts'
import type { TaskInfo } from './task.ts'

/**
 * The config of a subset. Where all subsets lie in `default`, told apart by a column, a config of the subset's own is
 * preferred: it holds the same rows.
 */
export function configOf(
  task: TaskInfo,
  { layout, place }: Pick<Dataset, 'layout' | 'place'>,
  subset: string,
): { config: DatasetConfig; language?: string } {
  const { config: named } = task.dataset
  const raw = rawConfig({ subset }, task.steps) ?? { name: subset === 'default' ? undefined : subset }
  if (raw.name === undefined) {
    if (named !== undefined) return { config: configNamed(layout, named, place) }
    if (layout.standard !== undefined) return { config: layout.standard }
    throw fault('task.subset', {
      place,
      what: 'the data set has several configs and none is the default',
      seen: [...layout.configs.keys()],
    })
  }
  if (task.params.fast_loading && !layout.configs.has(subset) && layout.standard?.name === 'default')
    return { config: layout.standard, language: subset }
  return { config: configNamed(layout, raw.name, place) }
}
