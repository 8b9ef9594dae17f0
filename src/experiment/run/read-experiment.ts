/** Reads an experiment file and checks it completely: all mistakes at once, each with its line. */
import { readFile } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import { fault, type Fault, suggestion } from '#core'
import { checkYaml, locateYaml } from '#files/formats'
import { chooseTasks, type ChosenTasks } from '#task/registry'
import { readSecondStage } from '#experiment/open'
import { usePlugins } from '#experiment/plugins'
import { foreignExperiment } from './foreign.ts'
import type { Shard } from './from-layersweep.ts'
import { flawsIn, missingIn, within } from './experiment-flaws.ts'
import { isRecipe } from './locale-jobs.ts'
import { experimentSchema, type ExperimentText } from './experiment-schema.ts'

export interface Experiment extends Omit<
  ExperimentText,
  'task_files' | 'merges' | 'plugins' | 'name' | 'output_folder'
> {
  readonly name: string
  readonly path: string
  /** The original text, to be stored next to the results. */
  readonly text: string
  /** Settings of another program's configuration that have no meaning here. */
  readonly notices: readonly string[]
  /** Absolute paths. */
  readonly task_files: readonly string[]
  readonly merges: readonly string[]
  /** SHA-256 of each file of definitions, in order. */
  readonly plugins: readonly string[]
  readonly found: ChosenTasks
}

/**
 * Reads an experiment file and checks it completely: all mistakes at once, each with its line. Paths in the file are
 * relative to its folder. A configuration of mteb-layersweep, or the stages of layer-aggregation (several files), is
 * converted to an experiment. `needsKeys`: the variables with the keys of its servers must be there. Throws `file.missing`, `format.yaml`, `usage.value` with every mistake.
 *
 * @example
 * ```ts
 * import { readExperiment } from 'strata-lm'
 *
 * const experiment = await readExperiment('experiment.yaml')
 * console.log(experiment.name, experiment.representations) // → experiment [ 'h3', 'default' ]
 * ```
 */
export async function readExperiment(
  paths: string | readonly string[],
  { shard = {}, needsKeys = true }: { shard?: Shard | undefined; needsKeys?: boolean | undefined } = {},
): Promise<Experiment> {
  const files = await Promise.all(
    [paths].flat().map(async (path) => ({
      path,
      text: await readFile(path, 'utf8').catch((cause: unknown) => {
        throw fault('file.missing', { place: path, what: 'the experiment cannot be read', cause })
      }),
    })),
  )
  const [{ path, text: own } = { path: '', text: '' }] = files
  const foreign = foreignExperiment(files, shard)
  if (foreign !== undefined && foreign.flaws.length > 0) throw together(foreign.flaws, path)
  const text = foreign?.text ?? own
  // line numbers refer to the converted text, which is stored next to the results
  const place = foreign === undefined ? path : `${path}, as an experiment`
  const checked = checkYaml(experimentSchema(), text, place)
  // before names are looked up, which may be theirs
  const plugins = await pluginsIn('flaws' in checked ? checked.rest : checked.value, path)
  if ('flaws' in checked)
    throw together(
      [
        ...checked.flaws,
        ...(checked.rest === undefined ? [] : await flawsIn(checked.rest, { text, path: place, needsKeys })),
      ],
      place,
    )
  const { value } = checked
  const flaws = [
    ...missingIn(value, { text, path: place }),
    ...(await flawsIn(value, { text, path: place, needsKeys })),
  ]
  if (flaws.length > 0) throw together(flaws, place)
  const [merges, taskFiles] = [value.merges ?? [], value.task_files ?? []].map((names) =>
    names.map((name) => within(path, name)),
  )
  const found = await chosenIn(withOwnTask(value), taskFiles ?? [])
  checkSubsets(
    [
      ...(value.subsets ?? []).map((name, at) => ({ name, keys: ['subsets', at] })),
      ...Object.keys(value.locales ?? {}).map((name) => ({ name, keys: ['locales', name] })),
    ],
    found,
    { text, path },
  )
  const { renamed, ...today } = todaysKeys(value, place)
  return {
    ...today,
    ...sectionsWithin(value, path),
    name: value.name ?? (basename(path, extname(path)).replace(/^\.+$/, '') || 'experiment'),
    path,
    text,
    notices: [...(foreign?.notices ?? []), ...renamed],
    merges: merges ?? [],
    plugins,
    locales: localesWithin(value, path),
    rerank: rerankWithin(value, path),
    task_files: taskFiles ?? [],
    representations: value.representations.map((name) =>
      name.includes('.') || name.includes('/') ? within(path, name) : name,
    ),
    found,
  }
}

/** Loads the file's definitions; the hash of each file of them. */
async function pluginsIn(value: Pick<ExperimentText, 'plugins'> | undefined, path: string): Promise<string[]> {
  if (value?.plugins === undefined) return []
  const loaded = await usePlugins(value.plugins.map((name) => within(path, name)))
  return [...new Set(loaded.map(({ source }) => source.sha256))]
}

/**
 * Keys under their current names, with a notice for each old one. Throws `usage.conflict` where both names are given.
 */
function todaysKeys(
  { output_folder: formerly, ...value }: ExperimentText,
  place: string,
): Omit<ExperimentText, 'output_folder'> & { readonly renamed: readonly string[] } {
  if (formerly === undefined) return { ...value, renamed: [] }
  if (value.results !== undefined)
    throw fault('usage.conflict', {
      place: `${place} › output_folder`,
      what: 'is the old name of results, which is given too',
      hint: 'leave it out',
    })
  return { ...value, results: formerly, renamed: ['output_folder is now results'] }
}

/** Paths of the sections, relative to the folder of the file. */
function sectionsWithin(
  { aggregate, harness, probes }: ExperimentText,
  path: string,
): Pick<ExperimentText, 'aggregate' | 'harness' | 'probes'> {
  return {
    aggregate: aggregate?.corpus === undefined ? aggregate : { ...aggregate, corpus: within(path, aggregate.corpus) },
    harness:
      harness === undefined
        ? undefined
        : { ...harness, include_path: harness.include_path?.map((name) => within(path, name)) },
    probes:
      probes === undefined ? undefined : { ...probes, data: probes.data.map((source) => sourceWithin(path, source)) },
  }
}

/** Locales alone are MASSIVE's. */
function withOwnTask(value: ExperimentText): ExperimentText {
  const { locales, tasks, types, benchmarks, task_files: files } = value
  const named = tasks ?? types ?? benchmarks ?? files
  return locales === undefined || named !== undefined ? value : { ...value, tasks: ['MASSIVEIntent'] }
}

/** Recipes relative to the folder of the file; models are references as everywhere. */
function localesWithin({ locales }: ExperimentText, path: string): ExperimentText['locales'] {
  if (locales === undefined) return undefined
  const placed = (name: string): string => (isRecipe(name) ? within(path, name) : name)
  return Object.fromEntries(
    Object.entries(locales).map(([locale, { models, sources }]) => [
      locale,
      { models: Object.fromEntries(Object.entries(models).map(([type, name]) => [type, placed(name)])), sources },
    ]),
  )
}

/** Its recipe likewise. */
function rerankWithin({ rerank }: ExperimentText, path: string): ExperimentText['rerank'] {
  if (rerank === undefined) return undefined
  const { recipe, by } = readSecondStage(rerank.model)
  if (recipe === undefined) return rerank
  return { ...rerank, model: [within(path, recipe), ...(by === undefined ? [] : [by])].join('#') }
}

/** A file may have harness tasks or probes alone. */
async function chosenIn(
  { tasks, types, languages, benchmarks }: ExperimentText,
  taskFiles: readonly string[],
): Promise<ChosenTasks> {
  if ((tasks ?? types ?? benchmarks) === undefined && taskFiles.length === 0)
    return { tasks: [], ownData: new Map(), skipped: [], selections: new Map(), benchmarks: [], notices: [] }
  return chooseTasks([...(tasks ?? []), ...taskFiles], { types, languages, benchmarks })
}

/** `blimp:FOLDER`, or a folder; `blimp` alone is a data set of the hub. */
function sourceWithin(path: string, source: string): string {
  const [, kind = '', folder = ''] = /^(\w+:)?(.*)$/s.exec(source) ?? []
  return kind === '' && !folder.includes('/') ? source : `${kind}${within(path, folder)}`
}

/** Each subset must belong to one of the tasks. */
function checkSubsets(
  subsets: readonly { readonly name: string; readonly keys: readonly PropertyKey[] }[],
  { tasks }: ChosenTasks,
  { text, path }: { text: string; path: string },
): void {
  const known = [...new Set(tasks.flatMap((task) => Object.keys(task.subsets)))]
  const stranger = subsets.find(({ name }) => !known.includes(name))
  if (stranger !== undefined)
    throw fault('usage.value', {
      place: locateYaml(text, path, stranger.keys),
      what: 'none of the tasks has such a subset',
      seen: stranger.name,
      hint: suggestion(stranger.name, known),
    })
}

/** One fault with all mistakes, one per line, in the order of the file. */
function together(flaws: readonly Fault[], path: string): Fault {
  const [first, ...more] = flaws
  if (first !== undefined && more.length === 0) return first
  const lines = flaws
    .toSorted((a, b) => placeIn(a, path) - placeIn(b, path))
    .map(({ message, hint }) => `${message}${hint === undefined ? '' : ` (${hint})`}`)
  return fault('usage.value', { place: path, what: `${flaws.length} mistakes`, hint: lines.join('\n') })
}

/** Line and column as one number; 0 for a fault without a place in the file. */
function placeIn({ parts }: Fault, path: string): number {
  const [, line = 0, column = 0] = /^:(\d+):(\d+)/.exec(parts.place.slice(path.length)) ?? []
  return Number(line) * 1e6 + Number(column)
}
