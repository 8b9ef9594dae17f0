/** Texts of any data set: one column of one split, in its order, from no more files than they need. */
import { fault, suggestion } from '#core'
import { readBatches } from '#files/tables'
import { configNamed, type DatasetConfig } from './dataset-layout.ts'
import { openDatasetAt } from './open-dataset.ts'
import type { Dataset, OpenDataset } from './opened-dataset.ts'
import { splitSources } from './split-sources.ts'

export interface TextsRequest {
  /** `org/name`, or a folder. */
  readonly path: string
  readonly revision?: string | undefined
  /** Default: the data set's own default. */
  readonly config?: string | undefined
  readonly split?: string | undefined
  /** Default: the first of `usualColumns` that the rows have. */
  readonly column?: string | undefined
  /** Maximum number of texts; files not needed for them are not fetched. */
  readonly most?: number | undefined
  readonly signal?: AbortSignal | undefined
}

export interface DatasetTexts {
  /** With everything that was chosen: `org/name:config:split:column`. */
  readonly name: string
  readonly batches: AsyncIterable<readonly { readonly text: string }[]>
}

/** Where texts stand when nobody says so. */
const usualColumns = ['text', 'sentence', 'sentence1', 'query', 'content']
/** Rows of a batch at most. */
const batchRows = 10_000

/**
 * The first file is opened at once, for its columns. Rows without a text are passed over. Throws `task.subset`,
 * `task.split`, `task.column`, hub faults, and what reading throws.
 */
export async function datasetTexts(
  open: OpenDataset,
  { path, revision = 'main', config: asked, split = 'train', column: named, most = Infinity, signal }: TextsRequest,
): Promise<DatasetTexts> {
  const dataset = await openDatasetAt(open, path, revision, path)
  const config = asked === undefined ? ownConfig(dataset, path) : configNamed(dataset.layout, asked, path)
  const column = await columnOf(dataset, config, split, named)
  const rows = Math.min(batchRows, most)
  return {
    name: [path, config.name, split, column].join(':'),
    batches: textsOf(dataset, config, { split, column, rows, most, signal }),
  }
}

function ownConfig({ layout: { standard, configs } }: Dataset, path: string): DatasetConfig {
  if (standard !== undefined) return standard
  const names = [...configs.keys()]
  throw fault('task.subset', {
    place: path,
    what: 'the data set has several configs, and none is its default',
    seen: names,
    hint: `name one: ${path}:${names[0] ?? ''}`,
  })
}

async function columnOf(
  dataset: Dataset,
  config: DatasetConfig,
  split: string,
  named: string | undefined,
): Promise<string> {
  const place = `${dataset.place} › ${config.name} › ${split}`
  for await (const { path, options } of splitSources(dataset, config, split)) {
    for await (const { columns } of readBatches([path], { ...options, limit: 1 })) {
      const known = Object.keys(columns)
      const column = named ?? usualColumns.find((one) => known.includes(one))
      // a dot leads into a struct, which reading itself looks up
      if (column !== undefined && (known.includes(column) || column.includes('.'))) return column
      throw fault('task.column', {
        place,
        what: named === undefined ? 'no column of a usual name for texts' : `no column ${named}`,
        seen: known,
        hint:
          named === undefined
            ? `name one: ${dataset.place}:${config.name}:${split}:${known[0] ?? ''}`
            : suggestion(named, known),
      })
    }
  }
  throw fault('task.empty', { place, what: 'the split has no rows' })
}

async function* textsOf(
  dataset: Dataset,
  config: DatasetConfig,
  {
    split,
    column,
    rows,
    most,
    signal,
  }: { split: string; column: string; rows: number; most: number; signal: AbortSignal | undefined },
): AsyncGenerator<{ text: string }[]> {
  let found = 0
  for await (const { path, place, options } of splitSources(dataset, config, split)) {
    for await (const { columns } of readBatches([path], { ...options, columns: [column], batch: rows, signal })) {
      const values = (columns[column] ?? []).filter((value) => value !== null)
      const texts = values.filter((value) => typeof value === 'string')
      if (texts.length < values.length)
        throw fault('task.column', { place, what: `the column ${column} holds values other than texts` })
      yield texts.slice(0, most - found).map((text) => ({ text }))
      found += texts.length
      if (found >= most) return
    }
  }
}
