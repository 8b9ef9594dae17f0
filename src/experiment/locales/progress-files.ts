/** How far a study is, in the layout of merginguriel. What an earlier run wrote about other locales stays. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { compareCodePoints } from '#core'
import { isObject, parsePythonJson } from '#files/formats'
import { writeWhole } from '#platform/disk'
import { type LocaleRun, mainTypes } from './read-runs.ts'
import type { StudyMode } from './study.ts'

export interface ProgressOptions {
  readonly runs: readonly Pick<LocaleRun, 'locale' | 'type'>[]
  /** In the order in which they were asked for. */
  readonly targets: readonly string[]
  readonly modes: readonly StudyMode[]
  /** Locales that have a model: those of a study without a choice of targets, and those that have a baseline. */
  readonly all: readonly string[]
  /** As given: a name, or a place from 0. */
  readonly startFrom?: string | undefined
  readonly most?: number | undefined
  readonly at: Date
}

/** `skipped`: not asked for, or a baseline without a model. */
type State = boolean | 'skipped'
type States = Readonly<Record<string, Readonly<Record<string, State>>>>

const [progressName, finalName] = ['experiment_progress.json', 'experiment_final_results.json'] as const

/**
 * Writes `experiment_progress.json` and `experiment_final_results.json` and returns their paths. A locale or type that
 * this run leaves out keeps its state. Throws `file.write`, and `format.json` for a file of that name that cannot be
 * read, which would lose what it says.
 */
export async function writeProgress(folder: string, options: ProgressOptions): Promise<string[]> {
  const { targets, all, modes, startFrom = '0', most, at } = options
  const results = merged(await earlier(join(folder, progressName)), statesNow(options))
  const timestamp = at.toISOString()
  const types = [...new Set([...mainTypes, ...modes])]
  const done = (type: string): number => Object.values(results).filter((states) => states[type] === true).length
  const skips = Object.fromEntries(mainTypes.map((type) => [`skip_${type}`, !modes.includes(type)]))
  const total = Object.keys(results).length
  const documents = {
    [progressName]: {
      timestamp,
      total_locales: all.length,
      processed_locales: total,
      current_locale: targets.at(-1) ?? null,
      results,
    },
    [finalName]: {
      timestamp,
      config: {
        ...skips,
        start_from: /^\d+$/.test(startFrom) ? Number(startFrom) : startFrom,
        max_locales: most ?? null,
      },
      summary: {
        total_locales: total,
        ...Object.fromEntries(types.map((type) => [`successful_${type}`, done(type)])),
      },
      detailed_results: results,
    },
  }
  for (const [name, document] of Object.entries(documents))
    await writeWhole(join(folder, name), `${JSON.stringify(document, undefined, 2)}\n`)
  return Object.keys(documents).map((name) => join(folder, name))
}

function statesNow({ runs, targets, modes, all }: ProgressOptions): States {
  const done = new Set(runs.map(({ locale, type }) => `${type}_${locale}`))
  const types = [...new Set([...mainTypes, ...modes])]
  const stateOf = (type: string, locale: string): State => {
    const isAsked = modes.some((mode) => mode === type) && (type !== 'baseline' || all.includes(locale))
    return isAsked ? done.has(`${type}_${locale}`) : 'skipped'
  }
  return Object.fromEntries(
    targets.map((locale) => [locale, Object.fromEntries(types.map((type) => [type, stateOf(type, locale)]))]),
  )
}

async function earlier(path: string): Promise<States> {
  const text = await readFile(path, 'utf8').catch(() => undefined)
  const found = text === undefined ? undefined : parsePythonJson(text, path)
  const results = isObject(found) ? found['results'] : undefined
  return Object.fromEntries(
    Object.entries(isObject(results) ? results : {}).flatMap(([locale, states]) =>
      // merginguriel writes false for a locale without a model
      isObject(states) ? [[locale, states as States[string]]] : [],
    ),
  )
}

/** By locale, sorted. */
function merged(before: States, now: States): States {
  const locales = [...new Set([...Object.keys(before), ...Object.keys(now)])].toSorted(compareCodePoints)
  return Object.fromEntries(
    locales.map((locale) => {
      const old = before[locale] ?? {}
      const fresh = Object.entries(now[locale] ?? {}).filter(([type, state]) => state !== 'skipped' || !(type in old))
      return [locale, { ...old, ...Object.fromEntries(fresh) }]
    }),
  )
}
