/** A split that may be larger than memory, batch by batch. */
import { Fault, fault } from '#core'
import { readBatches } from '#files/tables'
import { type Dataset, originColumn, type ReadSplit, type Rows, sourceColumns } from './dataset.ts'
import type { DatasetConfig } from './dataset-layout.ts'
import { splitSources } from './split-sources.ts'

/** Rows of a split as `readSplit` gives them, some thousands at a time. */
export async function* streamSplit(
  dataset: Dataset,
  config: DatasetConfig,
  split: string,
  { columns, optional = [], signal }: Pick<ReadSplit, 'columns' | 'optional'> & { signal?: AbortSignal | undefined },
): AsyncGenerator<Rows> {
  const place = `${dataset.place} › ${config.name} › ${split}`
  const { nameOf, ...source } = sourceColumns(config, columns, optional)
  const wanted = [...columns, ...optional]
  let first = 0
  for await (const { path, options, separated } of splitSources(dataset, config, split)) {
    const batches = readBatches([path], { ...source, ...options, signal })
    try {
      for await (const { rows, columns: read } of batches) {
        yield {
          rows,
          columns: {
            ...Object.fromEntries(
              wanted.map((name) => [name, read[nameOf(name)] ?? Array.from({ length: rows }, () => null)]),
            ),
            ...(config.traced ? { [originColumn]: read[originColumn] ?? [] } : {}),
          },
          place,
          first,
          classLabels: config.classLabels,
          untyped: separated,
          files: config.traced ? [`${dataset.place} › ${path}`] : undefined,
        }
        first += rows
      }
    } catch (error) {
      if (error instanceof Fault && error.code === 'table.column')
        throw new Fault('task.column', { ...error.parts, cause: error })
      throw error
    }
  }
  if (first === 0) throw fault('task.empty', { place, what: 'the split has no rows' })
}
