/** Whole rows of a data set's split, every column, for tasks that name columns in templates of their own. */
import { fault } from '#core'
import { parseJson } from '#files/formats'
import { type Batch, parquetNote, readColumns, readTexts, splitName } from '#files/tables'
import { classNumbers } from './class-labels.ts'
import { record } from './class-names.ts'
import { checkArguments, findBuilder, type LoadArguments, namesFiles, openFiles, pickFiles } from './data-files.ts'
import { configNamed, type DatasetConfig } from './dataset-layout.ts'
import { describedConfig } from './described-config.ts'
import { openDatasetAt } from './open-dataset.ts'
import type { Dataset, OpenDataset } from './opened-dataset.ts'
import { splitSources } from './split-sources.ts'

export interface WholeSplitOptions {
  readonly path: string
  /** Default: `main`. */
  readonly revision?: string | undefined
  /** `dataset_name`; default: the data set's own default. */
  readonly config?: string | undefined
  /** What else `load_dataset` is given: `data_files` and how they are read. */
  readonly given?: LoadArguments | undefined
  readonly openDataset: OpenDataset
  /** For messages. */
  readonly task: string
}

export interface WholeSplits {
  /** Resolved commit, or the requested revision. */
  readonly revision: string
  /**
   * Rows of a split in order, every column; class labels are numbers, integers that no number holds exactly are bigints,
   * integral values of float columns are `{ kind:
   * 'float', value }`. Throws `task.split`, `task.empty`, `task.label` and what reading throws.
   */
  rows: (split: string) => Promise<Record<string, unknown>[]>
}

/** Throws hub faults, `task.subset`, `task.split`, `task.unsupported`. */
export async function openWholeSplits({
  path,
  revision = 'main',
  config: name,
  given = {},
  openDataset,
  task,
}: WholeSplitOptions): Promise<WholeSplits> {
  const place = `${task} › ${path}`
  checkArguments(given, `${task} › dataset_kwargs`)
  const builder = findBuilder(path)
  const dataset =
    builder === undefined
      ? await openDatasetAt(openDataset, path, revision, place)
      : await openFiles(builder, given, { openDataset, place })
  const config =
    namesFiles(given) && builder === undefined
      ? await pickFiles(dataset, given)
      : chosen(dataset, builder === undefined ? name : undefined)
  return {
    revision: dataset.revision,
    rows: async (split) => wholeRows(dataset, await describedConfig(dataset, config, split), split),
  }
}

function chosen({ layout, place }: Dataset, name: string | undefined): DatasetConfig {
  if (name !== undefined)
    return layout.configs.size === 1 && name === 'default' && layout.standard !== undefined
      ? layout.standard
      : configNamed(layout, name, place)
  if (layout.standard !== undefined) return layout.standard
  throw fault('task.subset', {
    place,
    what: 'the data set has several configs and none is the default',
    seen: [...layout.configs.keys()].slice(0, 20),
  })
}

async function wholeRows(dataset: Dataset, config: DatasetConfig, split: string): Promise<Record<string, unknown>[]> {
  const place = `${dataset.place} › ${config.name} › ${split}`
  const rows: Record<string, unknown>[] = []
  for await (const { path, options, separated, isText } of splitSources(dataset, config, split)) {
    const table = isText ? await readLines(path) : await readColumns([path], options)
    const floats = options.format === 'parquet' ? await floatColumns(path, place) : new Set<string>()
    const columns = Object.entries(table.columns).map(([name, values]): [string, readonly unknown[]] => {
      const labels = config.classLabels.get(name)
      if (labels !== undefined) return [name, classNumbers(values, labels, place)]
      if (separated) return [name, inferred(values, place)]
      return [name, floats.has(name) ? values.map(asFloat) : values]
    })
    for (let row = 0; row < table.rows; row++)
      rows.push(Object.fromEntries(columns.map(([name, values]) => [name, values[row] ?? null])))
  }
  if (rows.length === 0) throw fault('task.empty', { place, what: 'the split has no rows' })
  return rows
}

/** A row per line, as `text` of Hugging Face datasets has them. */
async function readLines(path: string): Promise<Batch> {
  const text: string[] = []
  for await (const rows of readTexts({ kind: 'file', path, format: 'txt' })) for (const row of rows) text.push(row.text)
  return { rows: text.length, columns: { text } }
}

/** Columns that a parquet file's note of Hugging Face datasets declares as floats. */
async function floatColumns(path: string, place: string): Promise<Set<string>> {
  const note = splitName(path).packing === undefined ? await parquetNote(path, 'huggingface', place) : undefined
  if (note === undefined) return new Set()
  const features = record(record(record(parseJson(note, place))['info'])['features'])
  return new Set(
    Object.entries(features).flatMap(([name, feature]) => (isFloatType(record(feature)['dtype']) ? [name] : [])),
  )
}

/**
 * Columns of separated values as pandas guesses them: integers, floats, booleans, otherwise text; an empty field is
 * missing.
 */
function inferred(values: readonly unknown[], place: string): unknown[] {
  const texts = values.map((value) => (typeof value === 'string' && value !== '' ? value : undefined))
  const present = texts.filter((text) => text !== undefined)
  const all = (pattern: RegExp): boolean => present.length > 0 && present.every((text) => pattern.test(text))
  if (all(/^[-+]?\d{1,20}$/) && present.every(is64Bit))
    return present.length === texts.length
      ? present.map(integer)
      : texts.map((text) => (text === undefined ? null : asFloat(roundless(text, place))))
  if (all(/^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/))
    return texts.map((text) => (text === undefined ? null : asFloat(Number(text))))
  if (all(/^(?:True|False|TRUE|FALSE|true|false)$/))
    return texts.map((text) => (text === undefined ? null : text.toLowerCase().startsWith('t')))
  return texts.map((text) => text ?? null)
}

/** Whether pandas has a type for the integer. */
function is64Bit(text: string): boolean {
  const value = BigInt(text.replace('+', ''))
  return BigInt.asIntN(64, value) === value || BigInt.asUintN(64, value) === value
}

function integer(text: string): number | bigint {
  const value = Number(text)
  return Number.isSafeInteger(value) ? value : BigInt(text.replace('+', ''))
}

/** An integer of a column that missing values make one of floats. */
function roundless(text: string, place: string): number {
  const value = integer(text)
  if (typeof value === 'number') return value
  throw fault('task.value', {
    place,
    what: 'an integer next to missing values would be rounded to a float',
    seen: text,
    hint: 'fill the empty fields of its column, or write the data as JSON lines',
  })
}

function asFloat(value: unknown): unknown {
  return typeof value === 'number' && Number.isInteger(value) ? { kind: 'float', value } : value
}

function isFloatType(dtype: unknown): boolean {
  return typeof dtype === 'string' && dtype.startsWith('float')
}
