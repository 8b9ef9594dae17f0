/**
 * Results of merginguriel: `{type}_{locale}/results.json`, one classifier on the test split of one locale of MASSIVE.
 */
import { readdir, readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { asFault, compareCodePoints, fault, type Scores } from '#core'
import { isObject, parsePythonJson } from '#files/formats'
import type { Listed } from './find-results.ts'
import { invalid } from './invalid.ts'
import { dateSeconds } from './parse-result.ts'
import { defaultRepresentation } from './paths.ts'

const fileName = 'results.json'
/** Name of the task in the ledger. */
const localeTask = 'MASSIVEIntent'

/** What such a file says; null where it says nothing. */
export interface LocaleFile {
  /** 0 … 1. */
  readonly accuracy: number
  readonly correct: number | null
  readonly total: number | null
  readonly errorRate: number | null
  /** As its program was given it: `org/name`, or a path. */
  readonly model: string | null
  readonly subfolder: string | null
  /** `sq-AL` */
  readonly locale: string | null
  readonly split: string | null
  /** ISO 8601. */
  readonly timestamp: string | null
}

/** Every `results.json` below a folder, by path; undefined where there is no such folder. */
export async function localeFiles(folder: string): Promise<string[] | undefined> {
  const names = await readdir(folder, { recursive: true }).catch(() => undefined)
  return names
    ?.filter((name) => basename(name) === fileName)
    .map((name) => join(folder, name))
    .toSorted(compareCodePoints)
}

/** Throws `file.unreadable`, `format.json`, and `result.invalid` for a file without an accuracy. */
export async function readLocaleFile(path: string): Promise<LocaleFile> {
  const found = parsePythonJson(await readFile(path, 'utf8'), path)
  const [performance, about] = isObject(found) ? [found['performance'], found['evaluation_info']] : []
  const numbers: Readonly<Record<string, unknown>> = isObject(performance) ? performance : {}
  const facts: Readonly<Record<string, unknown>> = isObject(about) ? about : {}
  const { accuracy } = numbers
  if (typeof accuracy !== 'number' || !(accuracy >= 0 && accuracy <= 1))
    throw fault('result.invalid', {
      place: path,
      what: 'no accuracy in it',
      seen: JSON.stringify(accuracy) ?? 'nothing',
      wanted: 'performance.accuracy, 0 to 1',
    })
  return {
    accuracy,
    correct: numberOrNull(numbers['correct_predictions']),
    total: numberOrNull(numbers['total_predictions']),
    errorRate: numberOrNull(numbers['error_rate']),
    model: textOrNull(facts['model_name']),
    subfolder: textOrNull(facts['subfolder']),
    locale: textOrNull(facts['locale'] ?? facts['massive_locale'])?.replace('_', '-') ?? null,
    split: textOrNull(facts['split']),
    timestamp: textOrNull(facts['timestamp']),
  }
}

function numberOrNull(value: unknown): number | null {
  return typeof value === 'number' ? value : null
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

export interface LocaleResultOptions {
  /** The model of files that do not name theirs. */
  readonly model?: string | undefined
  /** Languages of a subset of a task; undefined for a subset that it does not have. */
  readonly languages?: ((task: string, subset: string) => readonly string[] | undefined) | undefined
}

export interface LocaleResults {
  /** One per model, with a subset of `MASSIVEIntent` per locale; a fault per file that cannot be used. */
  readonly results: readonly Listed[]
  /** Files that were read. */
  readonly paths: ReadonlySet<string>
}

/**
 * Every such file below a folder. A second one of the same model and locale is a fault. A `results.json` in a folder
 * whose name does not end in a locale counts only if it has the keys of merginguriel.
 */
export async function localeResults(
  folder: string,
  { model: given, languages }: LocaleResultOptions = {},
): Promise<LocaleResults> {
  const faults: Listed[] = []
  const paths = new Set<string>()
  const byModel = new Map<string, { path: string; date: number | undefined; scores: Scores }>()
  for (const path of (await localeFiles(folder)) ?? []) {
    if (!(await isLocaleFile(path))) continue
    paths.add(path)
    try {
      const file = await readLocaleFile(path)
      const model = modelOf(file, given, path)
      const locale = file.locale ?? localeIn(path)
      if (locale === undefined || (languages !== undefined && languages(localeTask, locale) === undefined))
        throw invalid(path, locale === undefined ? 'no locale in it' : 'MASSIVE has no such locale', locale)
      const own = byModel.get(model) ?? { path, date: dateSeconds(file.timestamp), scores: {} }
      const subsets = (own.scores[file.split ?? 'test'] ??= [])
      if (subsets.some(({ hf_subset: other }) => other === locale))
        throw invalid(path, `another file has the result of this model on ${locale}`, model)
      subsets.push({ main_score: file.accuracy, accuracy: file.accuracy, hf_subset: locale, languages: [] })
      byModel.set(model, own)
    } catch (error) {
      faults.push({ ...place(path, basename(dirname(path))), fault: asFault(error, 'file.unreadable', path) })
    }
  }
  const results = [...byModel].map(([model, { path, date, scores }]): Listed => ({
    ...place(path, model),
    result: { task_name: localeTask, date, scores },
  }))
  return { results: [...results, ...faults], paths }
}

function place(path: string, model: string): Omit<Listed, 'result' | 'fault'> {
  const revision = 'no_revision_available'
  return { path, model, revision, representation: defaultRepresentation, task: localeTask }
}

/** A file that is no JSON is one by the name of its folder. */
async function isLocaleFile(path: string): Promise<boolean> {
  if (localeIn(path) !== undefined) return true
  const found = await readFile(path, 'utf8')
    .then((text) => parsePythonJson(text, path))
    .catch(() => undefined)
  return isObject(found) && 'evaluation_info' in found && 'performance' in found
}

function localeIn(path: string): string | undefined {
  return /_([a-z]{2}-[A-Z]{2})$/.exec(basename(dirname(path)))?.[1]
}

/** A model in a folder of its repository is named with it. Throws `result.invalid` where nobody names the model. */
function modelOf({ model, subfolder }: LocaleFile, given: string | undefined, path: string): string {
  const name = (model ?? given)?.replaceAll(/^(?:\.\/)+|\/+$/g, '')
  if (name === undefined || name === '')
    throw fault('result.invalid', {
      place: path,
      what: 'the result does not name its model',
      hint: 'name the model: --models org/name',
    })
  return subfolder === null ? name : `${name}/${subfolder}`
}
