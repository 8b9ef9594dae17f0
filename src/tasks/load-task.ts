/** From a task's row in the registry to its texts and labels: data set, configs, splits, subsets, columns – each by name, never by position. */
import { asFault, type Fault, fault, type Profile, suggestion } from '../core/index.ts'
import { type Dataset, type OpenDataset, openTaskDataset, readSplit, type Rows } from './dataset.ts'
import { configNamed, type DatasetConfig } from './dataset-layout.ts'
import { chooseLanguages, languageNames, speaks } from './languages.ts'
import { retrievalPart } from './load-retrieval.ts'
import type { ClassificationPart, LoadedParts, LoadedTask, MissingPart, PartOf, StsPart, TextGroup } from './loaded-task.ts'
import { applySteps, rawColumns, rawSplit } from './steps.ts'
import type { TaskInfo } from './task.ts'
import { undersample } from './undersample.ts'
import { labels, numbers, texts, values } from './values.ts'

export interface LoadOptions {
  openDataset: OpenDataset
  /** Default: the task's. Any split of the data set may be named. */
  splits?: readonly string[]
  subsets?: readonly string[]
  /** Keeps subsets in which one of these languages occurs. */
  languages?: readonly string[]
  profile?: Profile
}

/**
 * Reads a task. Parts that belong to it and cannot be read are in `missing`; when nothing can be, the first reason is thrown:
 * `task.subset`, `task.split`, `task.empty`, `task.column`, `task.label`, `task.value`, `task.unsupported`, or a fault of hub, tables, formats.
 */
export async function loadTask(
  task: TaskInfo,
  { openDataset, splits = task.splits, subsets, languages, profile = 'mteb-2' }: LoadOptions,
): Promise<LoadedTask> {
  if (task.unsupported !== undefined) throw fault('task.unsupported', { place: task.name, what: `this task cannot be run yet: ${task.unsupported}` })
  const chosen = chooseSubsets(task, subsets, languages)
  if (splits.length === 0) throw fault('task.split', { place: task.name, what: 'no split is asked for' })
  const dataset = await openTaskDataset(task, openDataset)

  const missing: MissingPart[] = []
  let first: Fault | undefined
  const collect = async <Part extends PartOf>(load: (subset: string, languages: readonly string[]) => AsyncGenerator<Part | Failed>): Promise<Part[]> => {
    const parts: Part[] = []
    for (const subset of chosen) {
      for await (const found of load(subset, task.subsets[subset] ?? [])) {
        if ('problem' in found) {
          first ??= found.problem
          missing.push({ ...found.of, code: found.problem.code, reason: found.problem.message })
        } else parts.push(found)
      }
    }
    return parts
  }

  const loaded = await partsOf(task, dataset, splits, profile, collect)
  if (loaded.parts.length === 0) throw first ?? fault('task.empty', { place: task.name, what: 'nothing was read' })
  return { ...loaded, task, dataRevision: dataset.revision, missing, counts: countsOf(loaded), texts: () => textsOf(loaded) }
}

/** A part that could not be read, and why. */
interface Failed {
  readonly of: PartOf
  readonly problem: Fault
}

type Collect = <Part extends PartOf>(load: (subset: string, languages: readonly string[]) => AsyncGenerator<Part | Failed>) => Promise<Part[]>

async function partsOf(task: TaskInfo, dataset: Dataset, splits: readonly string[], profile: Profile, collect: Collect): Promise<LoadedParts> {
  switch (task.type) {
    case 'STS':
      return { type: task.type, parts: await collect<StsPart>((subset, languages) => pairs(task, dataset, subset, languages, splits)) }
    case 'Classification':
      return { type: task.type, parts: await collect<ClassificationPart>((subset, languages) => labelled(task, dataset, subset, languages, splits)) }
    case 'Retrieval':
      return {
        type: task.type,
        parts: await collect(async function* (subset, languages) {
          for (const split of splits) yield await attempt({ split, subset, languages }, (part) => retrievalPart(dataset, part, profile))
        }),
      }
    default:
      return task.type satisfies never
  }
}

async function* pairs(
  task: TaskInfo,
  dataset: Dataset,
  subset: string,
  languages: readonly string[],
  splits: readonly string[],
): AsyncGenerator<StsPart | Failed> {
  const { sentence1 = '', sentence2 = '', score = '' } = task.columns
  for (const split of splits) {
    yield await attempt({ split, subset, languages }, async (part) => {
      const rows = (await readSubset(task, dataset, subset, { splits: [split], numeric: [score] })).get(split)
      if (rows === undefined) throw fault('internal', { place: task.name, what: 'split not read', seen: split })
      return { ...part, sentence1: texts(rows, sentence1), sentence2: texts(rows, sentence2), score: numbers(rows, score) }
    })
  }
}

async function* labelled(
  task: TaskInfo,
  dataset: Dataset,
  subset: string,
  languages: readonly string[],
  splits: readonly string[],
): AsyncGenerator<ClassificationPart | Failed> {
  const { text = '', label = '' } = task.columns
  const { train_split: trainSplit, samples_per_label: perLabel, n_experiments: experiments } = task.params
  const known: SplitRows = new Map()
  for (const split of splits) {
    yield await attempt({ split, subset, languages }, async (part) => {
      const all = await readSubset(task, dataset, subset, { splits: [trainSplit, split], known })
      const [trainRows, testRows] = [all.get(trainSplit), all.get(split)]
      if (trainRows === undefined || testRows === undefined) throw fault('internal', { place: task.name, what: 'split not read', seen: split })
      const [trainLabels = [], testLabels = []] = labels([trainRows, testRows], label)
      const train = { texts: texts(trainRows, text), labels: trainLabels }
      const test = { texts: texts(testRows, text), labels: testLabels }
      checkLabels(train.labels, test.labels, testRows.place)
      return { ...part, train, test, experiments: undersample(train.labels, { perLabel, experiments }) }
    })
  }
}

function checkLabels(train: readonly unknown[], test: readonly unknown[], place: string): void {
  const known = new Set(train)
  if (known.size < 2) throw fault('task.label', { place, what: 'the train split has a single class', seen: [...known] })
  if (test.some((label) => known.has(label))) return
  throw fault('task.label', {
    place,
    what: 'no label of this split occurs in the train split',
    seen: [...new Set(test)].slice(0, 5),
    wanted: [...known].slice(0, 5),
  })
}

/** Rows of splits that were read before, or are being read. */
type SplitRows = Map<string, Promise<Rows>>

interface SubsetRows {
  splits: readonly string[]
  /** Columns that hold numbers in separated-value files. */
  numeric?: readonly string[]
  known?: SplitRows
}

/** The task's columns in the splits of one subset, after its steps. */
async function readSubset(
  task: TaskInfo,
  dataset: Dataset,
  subset: string,
  { splits, numeric = [], known = new Map() }: SubsetRows,
): Promise<Map<string, Rows>> {
  const columns = rawColumns(Object.values(task.columns), task.steps)
  const { config, language } = configOf(task, dataset, subset)
  const readRaw = async (split: string): Promise<Rows> => {
    const wanted = language === undefined ? columns : [...columns, languageColumn]
    const rows = await readSplit(dataset, config, split, {
      columns: wanted,
      numeric: rawColumns(
        numeric,
        task.steps.filter((step) => 'rename' in step),
      ),
    })
    return language === undefined ? rows : onlyLanguage(rows, language)
  }
  const read = new Map<string, Rows>()
  for (const split of splits) {
    const raw = rawSplit(split, task.steps)
    const rows = known.get(raw) ?? readRaw(raw)
    known.set(raw, rows)
    read.set(split, await rows)
  }
  return applySteps(read, task.steps)
}

const languageColumn = 'lang'

/** The config of a subset. Where all subsets lie in `default`, told apart by a column, a config of the subset's own is preferred: it holds the same rows. */
function configOf(task: TaskInfo, { layout, place }: Dataset, subset: string): { config: DatasetConfig; language?: string } {
  const { config: named } = task.dataset
  if (subset === 'default') {
    if (named !== undefined) return { config: configNamed(layout, named, place) }
    if (layout.standard !== undefined) return { config: layout.standard }
    throw fault('task.subset', { place, what: 'the data set has several configs and none is the default', seen: [...layout.configs.keys()] })
  }
  if (task.params.fast_loading && !layout.configs.has(subset) && layout.standard?.name === 'default') return { config: layout.standard, language: subset }
  return { config: configNamed(layout, subset, place) }
}

function onlyLanguage(rows: Rows, language: string): Rows {
  const picked = values(rows, languageColumn).flatMap((value, i) => (value === language ? [i] : []))
  if (picked.length === 0) throw fault('task.subset', { place: rows.place, what: `no row is of the subset ${language}` })
  const columns = Object.fromEntries(Object.entries(rows.columns).map(([name, column]) => [name, picked.map((i) => column[i])]))
  return { ...rows, rows: picked.length, columns }
}

/** What a step gives, or its fault beside the part it belongs to; a cancelled run goes through. */
async function attempt<Part extends PartOf>(part: PartOf, load: (part: PartOf) => Promise<Part>): Promise<Part | Failed> {
  try {
    return await load(part)
  } catch (error) {
    const problem = asFault(error, 'table.read', `${part.subset} › ${part.split}`)
    if (problem.code === 'run.cancelled') throw problem
    return { of: part, problem }
  }
}

/** Subsets of a task that the names and languages choose, in the task's order. Throws `task.subset` for a name it does not have, `task.empty` when the languages leave none. */
export function chooseSubsets(task: TaskInfo, subsets: readonly string[] | undefined, languages: readonly string[] | undefined): string[] {
  const all = Object.keys(task.subsets)
  for (const subset of subsets ?? []) {
    if (!all.includes(subset)) throw fault('task.subset', { place: task.name, what: `no subset ${subset}`, hint: suggestion(subset, all) })
  }
  const named = subsets === undefined ? all : all.filter((subset) => subsets.includes(subset))
  if (languages === undefined) return named
  const known = languageNames(Object.values(task.subsets).flat())
  const codes = languages.flatMap((code) => (known.has(code) ? [code] : codesIn(code, known)))
  const chosen = named.filter((subset) => speaks(task.subsets[subset] ?? [], codes))
  if (chosen.length > 0) return chosen
  throw fault('task.empty', {
    place: task.name,
    what: 'no subset is left after the language filter',
    seen: languages,
    wanted: [...known].filter((code) => !code.includes('-')),
  })
}

/** A code the task does not have may still be the short form of one it has. */
function codesIn(code: string, known: ReadonlySet<string>): readonly string[] {
  try {
    return chooseLanguages([code], known).codes
  } catch {
    return []
  }
}

function countsOf(loaded: LoadedParts): Record<string, number> {
  const sum = (counts: number[]): number => counts.reduce((total, count) => total + count, 0)
  switch (loaded.type) {
    case 'STS':
      return { pairs: sum(loaded.parts.map(({ score }) => score.length)) }
    case 'Classification':
      return { train: sum(loaded.parts.map(({ train }) => train.labels.length)), test: sum(loaded.parts.map(({ test }) => test.labels.length)) }
    case 'Retrieval':
      return { queries: sum(loaded.parts.map(({ queries }) => queries.ids.length)), documents: sum(loaded.parts.map(({ corpus }) => corpus.ids.length)) }
    default:
      return loaded satisfies never
  }
}

function textsOf(loaded: LoadedParts): TextGroup[] {
  switch (loaded.type) {
    case 'STS':
      return loaded.parts.flatMap(({ sentence1, sentence2 }) => [{ texts: sentence1 }, { texts: sentence2 }])
    case 'Classification':
      return loaded.parts.flatMap(({ train, test, experiments }) => [
        { texts: sampledRows(experiments).map((row) => train.texts[row] ?? '') },
        { texts: test.texts },
      ])
    case 'Retrieval':
      return loaded.parts.flatMap(({ queries, corpus }): TextGroup[] => [
        { texts: queries.texts, promptType: 'query' },
        { texts: corpus.texts, promptType: 'document' },
      ])
    default:
      return loaded satisfies never
  }
}

/** Rows that some experiment trains on, ascending. */
export function sampledRows(experiments: readonly (readonly number[])[]): number[] {
  return [...new Set(experiments.flat())].sort((a, b) => a - b)
}
