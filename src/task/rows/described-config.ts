/** Class labels that only a parquet file itself declares, in the notes that Hugging Face datasets leaves there. */
import { parseJson } from '#files/formats'
import { parquetNote, splitName } from '#files/tables'
import { namesInJson, record } from './class-names.ts'
import type { DatasetConfig } from './dataset-layout.ts'
import type { Dataset } from './opened-dataset.ts'

const known = new WeakMap<DatasetConfig, Promise<DatasetConfig>>()

/**
 * The config with the labels that a file of `split` declares, where nobody else describes its columns. Throws what
 * fetching and reading the file throws.
 */
export async function describedConfig(dataset: Dataset, config: DatasetConfig, split: string): Promise<DatasetConfig> {
  const file = config.splits.get(split)?.[0]
  if (config.described || config.traced || file === undefined || splitName(file).extension !== 'parquet') return config
  const found = known.get(config) ?? withLabels(dataset, config, file)
  known.set(config, found)
  found.catch(() => known.delete(config))
  return found
}

async function withLabels(dataset: Dataset, config: DatasetConfig, file: string): Promise<DatasetConfig> {
  const place = `${dataset.place} › ${file}`
  const note = await parquetNote(await dataset.files.local(file), 'huggingface', place)
  if (note === undefined) return config
  const { info } = record(parseJson(note, place))
  return { ...config, classLabels: namesInJson(record(info)['features']) }
}
