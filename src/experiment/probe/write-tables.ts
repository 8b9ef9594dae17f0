/**
 * Probes as tables: Holmes's own table of the last layer, a long one of every probe, and a picture of layers and
 * phenomena.
 */
import { meanOfAll } from '#core'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { csvLine, readColumns } from '#files/tables'
import { writeWhole } from '#platform/disk'
import { layerPhenomena, writePicture } from '#result/pictures'
import type { ProbeSettings, TaskType } from '#task/probing'
import type { Probed } from './probed.ts'
import { summariesOf } from './summaries.ts'
import type { ProbeUnit } from './units.ts'

export interface ProbeTablesOptions {
  readonly folder: string
  readonly layers: readonly number[]
  readonly settings: ProbeSettings
}

/** Holmes's leaderboard's names for the kinds of input. */
const probeTypes: Readonly<Record<TaskType, string>> = {
  SENTENCE: 'sentence classification',
  SENTENCE_TOKENS: 'token(s) classification',
  SENTENCE_SPANS: 'token(s) classification',
  SENTENCE_PAIR_BI: 'sentence pair classification',
  SENTENCE_PAIR_CROSS: 'sentence pair classification',
  SENTENCE_PAIR_TOKENS_BI: 'token(s) pair classification',
  SENTENCE_PAIR_TOKENS_CROSS: 'token(s) pair classification',
}

/**
 * `results_<version>.csv`, `probes_<version>.csv`, `probes_<version>.<model>.svg`: existing rows of this model are
 * replaced, rows of others stay. Throws `table.column` for tables with another layout.
 */
export async function writeProbeTables(probed: Probed, options: ProbeTablesOptions): Promise<void> {
  const { folder } = options
  const { results, probes } = probeTables(folder, probed.version)
  const before = await othersIn(results, holmesColumns, fileNameOf(probed.model))
  // Holmes numbers the rows of a table
  const rows = [...before.map((row) => row.slice(1)), ...holmesRows(probed, options)].map((row, index) => [
    index,
    ...row,
  ])
  await writeWhole(results, [holmesColumns, ...rows].map((row) => csvLine(row)).join(''))
  const long = [longColumns, ...(await othersIn(probes, longColumns, probed.model)), ...longRows(probed, options)]
  await writeWhole(probes, long.map((row) => csvLine(row)).join(''))
  const picture = phenomenaOf(probed)
  if (picture !== undefined)
    await writePicture(join(folder, `probes_${probed.version}.${fileNameOf(probed.model)}.svg`), picture)
}

type Row = readonly (string | number | null)[]

/** `version`: the name of the collection. */
export function probeTables(folder: string, version: string): { readonly results: string; readonly probes: string } {
  return { results: join(folder, `results_${version}.csv`), probes: join(folder, `probes_${version}.csv`) }
}

/** Rows written by another model's run. */
async function othersIn(path: string, columns: readonly string[], model: string): Promise<Row[]> {
  if (!existsSync(path)) return []
  const { rows, columns: values } = await readColumns([path], { columns, format: 'csv' })
  return Array.from({ length: rows }, (_, i) =>
    columns.map((name) => (values[name]?.[i] ?? null) as string | null),
  ).filter((row) => row[columns.indexOf('model_name')] !== model)
}

/** A model's name in Holmes's notation. */
function fileNameOf(model: string): string {
  return model.replaceAll('/', '__')
}

/** The table of holmes-evaluation's `evaluate.py`, which has one layer per model: the last probed one. */
const holmesColumns = [
  '',
  'probing_dataset',
  'model_name',
  'encoding',
  'control_task_type',
  'sample_size',
  'seed',
  'num_hidden_layers',
  'score',
]

/** Without their number. */
function holmesRows({ model, dataSets }: Probed, { layers, settings: { probe } }: ProbeTablesOptions): Row[] {
  const last = Math.max(...layers)
  const hidden = probe === 'mlp' ? 1 : 0
  return dataSets
    .flatMap(({ units }) => units.filter(({ layer }) => layer === last))
    .map(({ dataSet, control, instances, seed, outcome }) => [
      dataSet,
      fileNameOf(model),
      'full',
      control.replace('-', '_').toUpperCase(),
      instances,
      seed,
      hidden,
      outcome.score,
    ])
}

const longColumns = [
  'probing_dataset',
  'linguistic_subfield',
  'linguistic_phenomena',
  'probe_type',
  'train_portion',
  'model_name',
  'profile',
  'probe',
  'layer',
  'control',
  'seed',
  'score',
  'macro_f1',
  'accuracy',
  'pearson',
  'score_seen',
  'score_unseen',
  'bits',
  'compression',
  'compression_original',
  'instances',
  'dropped',
  'epochs',
]

function longRows({ model, dataSets }: Probed, { settings: { profile, probe, portion } }: ProbeTablesOptions): Row[] {
  return dataSets.flatMap(({ dataSet: { name, subfield, phenomenon, taskType }, units }) =>
    units.map((unit) => [
      name,
      subfield ?? null,
      phenomenon ?? null,
      probeTypes[taskType],
      portion,
      model,
      profile,
      probe,
      ...unitCells(unit),
    ]),
  )
}

function unitCells({ layer, control, seed, instances, dropped, outcome }: ProbeUnit): (string | number | null)[] {
  const { score, macro_f1 = null, accuracy = null, pearson = null, seen, unseen, mdl, epochs } = outcome
  const parts = [seen, unseen].map((part) => part?.macro_f1 ?? part?.pearson ?? null)
  const lengths = [mdl?.bits ?? null, mdl?.compression ?? null, mdl?.original.compression ?? null]
  return [layer, control, seed, score, macro_f1, accuracy, pearson, ...parts, ...lengths, instances, dropped, epochs]
}

/** Mean score of each phenomenon by layer; undefined where there is none. */
function phenomenaOf({ model, version, dataSets }: Probed): ReturnType<typeof layerPhenomena> | undefined {
  const byName = new Map<string, Map<number, number[]>>()
  for (const { dataSet, units } of dataSets) {
    // a data set without phenomena stands for itself
    const name = dataSet.phenomenon ?? dataSet.name
    const layers = byName.get(name) ?? new Map<number, number[]>()
    byName.set(name, layers)
    for (const { layer, score } of summariesOf(units))
      if (score !== null) layers.set(layer, [...(layers.get(layer) ?? []), score])
  }
  const layers = [...new Set([...byName.values()].flatMap((own) => [...own.keys()]))].sort((a, b) => a - b)
  if (layers.length === 0) return undefined
  const rows = [...byName].sort(([a], [b]) => (a < b ? -1 : 1))
  return layerPhenomena({
    title: `Probe scores of ${model}`,
    subtitle: version,
    layers,
    phenomena: rows.map(([name]) => name),
    values: rows.map(([, own]) => layers.map((layer) => meanOfAll(own.get(layer) ?? []))),
  })
}
