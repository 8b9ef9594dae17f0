/** Rows of several configs as those of one split. */
import { type Dataset, readSplit, type Rows } from './dataset.ts'
import { configNamed } from './dataset-layout.ts'
import { rename } from './steps/rename.ts'
import type { ConfigPart } from './steps/step.ts'
import { stacked } from './steps/unite.ts'

/** Reads `columns`, named as after each part's renaming. */
export async function readUnited(
  dataset: Dataset,
  parts: readonly ConfigPart[],
  split: string,
  columns: readonly string[],
): Promise<Rows> {
  const found: Rows[] = []
  for (const { config, rename: names } of parts) {
    const raw = [...rename.before(new Set(columns), names, { subset: 'default' })]
    const rows = await readSplit(dataset, configNamed(dataset.layout, config, dataset.place), split, { columns: raw })
    found.push(...rename.apply(new Map([[split, rows]]), names, { subset: 'default' }).values())
  }
  return stacked(found)
}
