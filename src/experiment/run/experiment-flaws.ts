/** Mistakes that a schema cannot detect in an experiment file: unknown names, missing files, duplicates. */
import { stat } from 'node:fs/promises'
import { dirname, isAbsolute, resolve } from 'node:path'
import { asFault, fault, type Fault, type FaultParts, suggestNearest } from '#core'
import { locateYaml } from '#files/formats'
import { embeddingArgs, readSecondStage } from '#experiment/open'
import { poolingNamed } from '#model/passes'
import { aggregationNamed } from '#representation/aggregation'
import { similaritiesNamed } from '#representation/similarity'
import { portionNamed } from '#task/probing'
import { chooseTasks } from '#task/registry'
import { isRecipe } from './locale-jobs.ts'
import type { ExperimentText } from './experiment-schema.ts'

interface Place {
  readonly text: string
  readonly path: string
}

/** A place in the file, and a check that throws for a mistake there. */
interface Check {
  readonly keys: readonly PropertyKey[]
  readonly look: () => unknown
}

/** In the order of the kinds of mistakes; each with its line and column. */
export async function flawsIn(
  value: ExperimentText,
  { text, path, needsKeys }: Place & { readonly needsKeys: boolean },
): Promise<readonly Fault[]> {
  const flaws: Fault[] = []
  for (const { keys, look } of [
    ...repeated(value),
    ...files(value, path),
    ...words(value, needsKeys),
    ...tasks(value),
  ]) {
    try {
      await look()
    } catch (error) {
      const { code, parts } = asFault(error, 'usage.value', path)
      const place = keys.length === 0 ? path : `${locateYaml(text, path, keys)} › ${keys.map(String).join('.')}`
      flaws.push(fault(code, { ...parts, place }))
    }
  }
  return flaws
}

/** Required values that neither the file nor a default gives, and values that need another one. */
export function missingIn(
  {
    models,
    revisions,
    merges,
    tasks,
    benchmarks,
    task_files: taskFiles,
    types,
    harness,
    probes,
    search,
    aggregate,
    locales,
    rerank,
    servers,
  }: ExperimentText,
  { text, path: place }: Place,
): readonly Fault[] {
  const wrong = (parts: FaultParts): Fault => fault('usage.value', parts)
  return [
    ...((models ?? merges ?? locales ?? servers) === undefined
      ? [wrong({ place, what: 'no model is named', wanted: 'models, merges or servers' })]
      : []),
    ...((tasks ??
      benchmarks ??
      taskFiles ??
      types ??
      locales ??
      (aggregate === undefined ? (harness ?? probes) : undefined)) === undefined
      ? [
          wrong({
            place,
            what: 'no task is named',
            wanted: 'tasks, benchmarks, task_files or types – or harness or probes',
          }),
        ]
      : []),
    ...(search !== undefined && (models === undefined || (merges ?? servers) !== undefined)
      ? [
          wrong({
            place: locateYaml(text, place, ['search']),
            what: 'a search is over models and their revisions',
            hint: 'strata search --merge RECIPE --vary searches the settings of a merge',
          }),
        ]
      : []),
    ...(rerank !== undefined && (search ?? aggregate) !== undefined
      ? [
          wrong({
            place: locateYaml(text, place, ['rerank']),
            what: `rerank has no effect on ${search === undefined ? 'the combinations of aggregate' : 'a search for checkpoints and layers'}`,
            hint: 'write it into a file of its own; files of combinations may be its representations',
          }),
        ]
      : []),
    ...(revisions !== undefined && models === undefined
      ? [wrong({ place: locateYaml(text, place, ['revisions']), what: 'revisions without a model', seen: revisions })]
      : []),
  ]
}

/** A path of the file, relative to the file's own folder. */
export function within(path: string, name: string): string {
  return isAbsolute(name) ? name : resolve(dirname(path), name)
}

function refuse(what: string, seen?: unknown, wanted?: string, hint?: string): never {
  throw fault('usage.value', { place: '', what, seen, wanted, hint })
}

function repeated(value: ExperimentText): readonly Check[] {
  const keys = [
    'models',
    'revisions',
    'merges',
    'representations',
    'tasks',
    'benchmarks',
    'task_files',
    'pooling',
    'seeds',
  ] as const
  return keys.flatMap((key) => {
    const list: readonly (string | number)[] = value[key] ?? []
    return list.map((one, i) => ({
      keys: [key, i],
      look: () => list.indexOf(one) < i && refuse('stands here twice', one),
    }))
  })
}

function files(
  {
    merges = [],
    task_files: taskFiles = [],
    locales = {},
    representations,
    aggregate,
    harness,
    rerank,
  }: ExperimentText,
  path: string,
): readonly Check[] {
  const there = async (name: string, what: string, hint?: string): Promise<void> => {
    if ((await stat(within(path, name)).catch(() => undefined)) === undefined) refuse(what, name, undefined, hint)
  }
  const { recipe } = readSecondStage(rerank?.model ?? '')
  return [
    ...merges.map((name, i) => ({ keys: ['merges', i], look: () => there(name, 'no such file') })),
    ...Object.entries(locales).flatMap(([locale, { models }]) =>
      Object.entries(models).flatMap(([type, name]) =>
        isRecipe(name) ? [{ keys: ['locales', locale, 'models', type], look: () => there(name, 'no such file') }] : [],
      ),
    ),
    ...taskFiles.map((name, i) => ({ keys: ['task_files', i], look: () => there(name, 'no such file') })),
    ...(aggregate?.corpus === undefined
      ? []
      : [{ keys: ['aggregate', 'corpus'], look: () => there(aggregate.corpus ?? '', 'no such file') }]),
    ...(harness?.include_path ?? []).map((name, i) => ({
      keys: ['harness', 'include_path', i],
      look: () => there(name, 'no such folder'),
    })),
    ...(recipe === undefined ? [] : [{ keys: ['rerank', 'model'], look: () => there(recipe, 'no such file') }]),
    ...representations.map((name, i) => ({
      keys: ['representations', i],
      look: () =>
        isRepresentation(name) ||
        there(name, 'neither a representation nor a file of one', suggestNearest(name, ['default', 'all'])),
    })),
  ]
}

/** `all`, `default`, `h3`, `h3-cls`, and indices as in `--layers`. */
function isRepresentation(name: string): boolean {
  return /^(?:all|default|h-?\d+(?:-\w+)?|-?\d+)$/.test(name)
}

function words(
  { pooling = [], aggregate, probes, models = [], servers = [], max_length: lengths }: ExperimentText,
  needsKeys: boolean,
): readonly Check[] {
  const { methods = [], similarity = [], lambda = [] } = aggregate ?? {}
  return [
    ...Object.keys(typeof lengths === 'object' ? lengths : {}).map((name) => ({
      keys: ['max_length', name],
      look: () => models.includes(name) || refuse('no such model in the file', name),
    })),
    ...servers.map((server, i) => ({ keys: ['servers', i, 'model_args'], look: () => readServer(server, needsKeys) })),
    ...pooling.map((name, i) => ({ keys: ['pooling', i], look: () => poolingNamed(name) })),
    ...methods.map((name, i) => ({ keys: ['aggregate', 'methods', i], look: () => aggregationNamed(name) })),
    ...similarity.map((name, i) => ({
      keys: ['aggregate', 'similarity', i],
      look: () => similaritiesNamed(name, 'aggregate.similarity'),
    })),
    ...(probes === undefined
      ? []
      : [{ keys: ['probes', 'train_portion'], look: () => portionNamed(String(probes.train_portion)) }]),
    ...lambda.map((price, i) => ({
      keys: ['aggregate', 'lambda', i],
      look: () => price >= 0 || refuse('a price must be 0 or greater', price),
    })),
  ]
}

/** A fault names the setting: its place becomes that of them all. */
function readServer(
  { model, model_args: settings }: NonNullable<ExperimentText['servers']>[number],
  needsKey: boolean,
): void {
  try {
    embeddingArgs(model, settings, { needsKey })
  } catch (error) {
    const { code, parts } = asFault(error, 'usage.value', '')
    const [, setting] = parts.place.split(' › ')
    throw fault(code, { ...parts, what: setting === undefined ? parts.what : `${setting}: ${parts.what}` })
  }
}

function tasks({ tasks: names = [], benchmarks = [], types, languages }: ExperimentText): readonly Check[] {
  return [
    ...names.map((name, i) => ({ keys: ['tasks', i], look: () => chooseTasks([name]) })),
    ...benchmarks.map((name, i) => ({ keys: ['benchmarks', i], look: () => chooseTasks([], { benchmarks: [name] }) })),
    ...(types === undefined ? [] : [{ keys: ['types'], look: () => chooseTasks(['*'], { types }) }]),
    ...(languages === undefined ? [] : [{ keys: ['languages'], look: () => chooseTasks(['*'], { languages }) }]),
  ]
}
