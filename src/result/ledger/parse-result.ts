/**
 * Parses a result file: written by Strata, mteb 2.x, mteb 1.x, or mteb before 1.11. Files come from strangers: every
 * mistake is a fault with a place.
 */
import { type FaultCode, type Provenance, type Scores, type SubsetScores } from '#core'
import { isObject, parsePythonJson } from '#files/formats'
import type { StoredResult } from './document.ts'
import { invalid } from './invalid.ts'
import { fromBefore111, withFlatPairScores } from './old-schemas.ts'

export interface ParseOptions {
  /** Main score of a task, for files of mteb before 1.11, which do not name it. */
  mainScore?: (task: string) => string | undefined
  /** Read a file without a single score, too; by default it is a fault. */
  acceptEmpty?: boolean
  /** Tasks whose results are read with every metric (default: all); those of others have their main scores alone. */
  isWhole?: ((task: string) => boolean) | undefined
}

/** Throws `result.invalid` or `format.json`. Bare NaN tokens and nulls are null scores. */
export function parseResult(text: string, place: string, options: ParseOptions = {}): StoredResult {
  const raw = parsePythonJson(text, place, { code: 'format.json' })
  if (!isObject(raw)) throw invalid(place, 'not an object', raw)
  const file = 'mteb_dataset_name' in raw ? fromBefore111(raw, place, options.mainScore) : raw
  const {
    task_name: task,
    dataset_revision: revision,
    mteb_version: version,
    evaluation_time: time,
    kg_co2_emissions: co2,
    date,
    strata,
  } = file
  if (typeof task !== 'string' || task === '') throw invalid(place, 'no task_name', task)
  const provenance = strata === undefined ? undefined : readProvenance(strata, place)
  const failed = provenance?.status === 'failed'
  const scores =
    failed && file['scores'] === undefined
      ? undefined
      : readScores(file['scores'], place, options.isWhole?.(task) ?? true)
  if (!failed && options.acceptEmpty !== true && Object.keys(scores ?? {}).length === 0)
    throw invalid(place, 'no scores: nothing was evaluated', file['scores'])
  return {
    dataset_revision: typeof revision === 'string' ? revision : undefined,
    task_name: task,
    mteb_version: typeof version === 'string' ? version : undefined,
    scores: scores && withFlatPairScores(scores, version),
    evaluation_time: typeof time === 'number' && Number.isFinite(time) ? time : undefined,
    kg_co2_emissions: 'kg_co2_emissions' in file ? numberOrNull(co2) : undefined,
    date: dateSeconds(date),
    strata: provenance,
  }
}

function readScores(raw: unknown, place: string, isWhole: boolean): Scores {
  if (!isObject(raw)) throw invalid(place, 'no scores', raw)
  return Object.fromEntries(
    Object.entries(raw).flatMap(([split, subsets]) => {
      if (!Array.isArray(subsets)) throw invalid(`${place} › ${split}`, 'not a list of subsets', subsets)
      const read = (subset: unknown): SubsetScores => readSubset(subset, `${place} › ${split}`, isWhole)
      return subsets.length === 0 ? [] : [[split, subsets.map(read)]]
    }),
  )
}

function readSubset(raw: unknown, place: string, isWhole: boolean): SubsetScores {
  if (!isObject(raw)) throw invalid(place, 'a subset must be an object', raw)
  const { main_score: main, hf_subset: subset, languages, higher_is_better, subfield } = raw
  if (typeof subset !== 'string') throw invalid(place, 'no hf_subset', subset)
  if (!Array.isArray(languages) || !languages.every((language) => typeof language === 'string'))
    throw invalid(`${place} › ${subset}`, 'no languages', languages)
  if (main !== null && typeof main !== 'number') throw invalid(`${place} › ${subset}`, 'no main_score', main)
  if (isWhole) return finite(raw) as SubsetScores
  return {
    hf_subset: subset,
    languages,
    main_score: numberOrNull(main),
    ...(higher_is_better === undefined ? {} : { higher_is_better: finite(higher_is_better) }),
    ...(subfield === undefined ? {} : { subfield: finite(subfield) }),
  }
}

function readProvenance(raw: unknown, place: string): Provenance {
  if (!isObject(raw)) throw invalid(`${place} › strata`, 'not an object', raw)
  const { status, code, reason, settings, seconds } = raw
  if (status !== 'ok' && status !== 'failed') throw invalid(`${place} › strata.status`, 'ok or failed', status)
  const text = (name: string): string => {
    const value = raw[name]
    if (typeof value !== 'string') throw invalid(`${place} › strata.${name}`, 'must be a text', value)
    return value
  }
  return {
    status,
    code: typeof code === 'string' ? (code as FaultCode) : undefined,
    reason: typeof reason === 'string' ? reason : undefined,
    model: text('model'),
    revision: text('revision'),
    representation: text('representation'),
    profile: text('profile'),
    settings: isObject(settings) ? settings : {},
    // a failure may occur before there is anything to fingerprint
    fingerprint: status === 'failed' && raw['fingerprint'] === undefined ? '' : text('fingerprint'),
    ...(typeof raw['fingerprint_version'] === 'number' ? { fingerprint_version: raw['fingerprint_version'] } : {}),
    version: typeof raw['version'] === 'string' ? raw['version'] : '',
    seconds: typeof seconds === 'number' && Number.isFinite(seconds) ? seconds : 0,
    lacks: Array.isArray(raw['lacks']) ? raw['lacks'].filter((split) => typeof split === 'string') : undefined,
    notices: Array.isArray(raw['notices']) ? raw['notices'].filter((notice) => typeof notice === 'string') : undefined,
    means: isObject(raw['means'])
      ? { all: numberOrNull(raw['means']['all']), english: numberOrNull(raw['means']['english']) }
      : undefined,
  }
}

function numberOrNull(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}

/** Epoch seconds, or an ISO date. */
export function dateSeconds(date: unknown): number | undefined {
  const seconds = typeof date === 'string' ? Date.parse(date) / 1000 : date
  return typeof seconds === 'number' && Number.isFinite(seconds) ? seconds : undefined
}

/** The same value with null for every non-finite number. The text's reader limits the depth. */
function finite(value: unknown): unknown {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (Array.isArray(value)) return value.map(finite)
  return isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, field]) => [name, finite(field)]))
    : value
}
