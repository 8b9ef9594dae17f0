/** Folders of results as merginguriel writes them: `{prefix}_{locale}/results.json`, one model on one locale each. */
import { readdir, readFile } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import { asFault, compareCodePoints, type Fault, fault } from '#core'
import { isObject, parsePythonJson } from '#files/formats'

/** One model on one locale. */
export interface LocaleRun {
  readonly locale: string
  /** `baseline`, `similarity`, `average`, or another prefix. */
  readonly type: string
  /** Name of the folder; its path, where another one has the same name. */
  readonly folder: string
  readonly accuracy: number
  readonly correct: number | null
  readonly total: number | null
  readonly errorRate: number | null
  readonly model: string | null
  readonly subfolder: string | null
  readonly timestamp: string | null
  /** By text: 1 for a right answer, 0 for a wrong one. */
  readonly answers?: Uint8Array | undefined
}

export interface LocaleRuns {
  readonly runs: readonly LocaleRun[]
  /** Folders with a result whose names are not of this layout. */
  readonly unknown: readonly string[]
  readonly unreadable: readonly Fault[]
}

const fileName = 'results.json'
/** The three that merginguriel compares, whatever the rest of their name is. */
export const mainTypes = ['baseline', 'similarity', 'average'] as const

/** What the sources of a merge reach without it; the best one in hindsight. */
export const sourceTypes = ['weighted source', 'mean source', 'best source'] as const
export type SourceType = (typeof sourceTypes)[number]

/** Every run below `folder`, by path. `known`: locales that other prefixes count for. Throws `file.missing`. */
export async function readRuns(folder: string, known: ReadonlySet<string>): Promise<LocaleRuns> {
  const names = await readdir(folder, { recursive: true }).catch(() => undefined)
  if (names === undefined) throw fault('file.missing', { place: folder, what: 'no such folder of results' })
  const paths = names
    .filter((name) => basename(name) === fileName)
    .map((name) => join(folder, name))
    .toSorted(compareCodePoints)
  const count = new Map<string, number>()
  for (const path of paths) count.set(basename(dirname(path)), (count.get(basename(dirname(path))) ?? 0) + 1)
  const runs: LocaleRun[] = []
  const unknown: string[] = []
  const unreadable: Fault[] = []
  for (const path of paths) {
    const name = basename(dirname(path))
    const shown = (count.get(name) ?? 0) > 1 ? relative(folder, dirname(path)) : name
    const parts = partsOf(name, known)
    if (parts === undefined) unknown.push(shown)
    else
      try {
        runs.push({ ...parts, folder: shown, ...(await readRun(path, parts.locale)) })
      } catch (error) {
        unreadable.push(asFault(error, 'file.unreadable', path))
      }
  }
  return { runs, unknown, unreadable }
}

function partsOf(name: string, known: ReadonlySet<string>): Pick<LocaleRun, 'type' | 'locale'> | undefined {
  const [type = '', ...rest] = name.split('_')
  if (rest.length > 0 && mainTypes.some((one) => one === type)) return { type, locale: rest.join('_') }
  const last = rest.at(-1) ?? ''
  if (name.includes('massive_k_')) return { type: 'baseline', locale: last }
  return known.has(last) ? { type: name.slice(0, -last.length - 1), locale: last } : undefined
}

async function readRun(path: string, locale: string): Promise<Omit<LocaleRun, 'type' | 'locale' | 'folder'>> {
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
  const evaluated = facts['locale'] ?? facts['massive_locale']
  if (typeof evaluated === 'string' && evaluated.replace('_', '-') !== locale)
    throw fault('result.invalid', {
      place: path,
      what: 'the folder names another locale than its result',
      seen: evaluated,
      wanted: locale,
    })
  return {
    accuracy,
    correct: numberOrNull(numbers['correct_predictions']),
    total: numberOrNull(numbers['total_predictions']),
    errorRate: numberOrNull(numbers['error_rate']),
    model: textOrNull(facts['model_name']),
    subfolder: textOrNull(facts['subfolder']),
    timestamp: textOrNull(facts['timestamp']),
  }
}

function numberOrNull(value: unknown): number | null {
  return typeof value === 'number' ? value : null
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
