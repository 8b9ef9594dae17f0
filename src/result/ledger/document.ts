/**
 * A result as it is stored and printed: mteb's keys in mteb's order, scores rounded as mteb rounds, the `strata` key
 * last.
 */
import { fault, mean, type Provenance, type Result, type Scores, type SubsetScores } from '#core'
import { roundScore } from './python-round.ts'

/** The content of a file: one written by mteb has no `strata`, and may contain emissions. */
export type StoredResult = Omit<Result, 'strata' | 'kg_co2_emissions'> & {
  kg_co2_emissions?: number | null | undefined
  strata?: Provenance | undefined
}

/** Version of mteb whose schema a document follows when it names none. */
const schemaVersion = '2.26.24'

/**
 * The document of a result, for its file and for `--json`: floats in `scores` rounded to 6 decimals, NaN and infinities
 * null, and the fields that mteb's loader requires. Throws `result.invalid` for a finished result without a score.
 *
 * @example
 * ```ts
 * import { openModel } from 'strata-lm'
 * import { resultDocument } from 'strata-lm/ledger'
 * import { evaluate } from 'strata-lm/tasks'
 *
 * const model = await openModel('assets/models/stories260K')
 * const [result] = await evaluate(model, { tasks: ['./pairs.yaml'], outputFolder: 'out' })
 * if (result !== undefined) console.log(Object.keys(resultDocument(result)).slice(0, 4))
 * // → [ 'dataset_revision', 'task_name', 'mteb_version', 'scores' ]
 * await model.close()
 * ```
 */
export function resultDocument(result: Result): Result {
  const { task_name, scores, date, strata, ...rest } = result
  if (strata.status === 'failed')
    return {
      task_name,
      ...rest,
      ...(scores === undefined ? {} : { scores: rounded(scores) }),
      ...(date === undefined ? {} : { date }),
      strata,
    }
  if (!hasScore(scores))
    throw fault('result.invalid', {
      place: task_name,
      what: 'a finished result without a score',
      seen: scores ?? 'no scores',
    })
  const {
    dataset_revision = 'no_revision_available',
    mteb_version = schemaVersion,
    evaluation_time = strata.seconds,
    kg_co2_emissions = null,
    ...more
  } = rest
  return {
    dataset_revision,
    task_name,
    mteb_version,
    scores: rounded(scores ?? {}),
    evaluation_time,
    kg_co2_emissions,
    ...(date === undefined ? {} : { date }),
    ...more,
    strata: { ...strata, means: scoreMeans(scores ?? {}) },
  }
}

/**
 * The mean of the main scores, in 0 … 1, by both conventions for a task with several languages: over every part, as
 * mteb averages, and over the English parts alone, as the English benchmarks do. Null where there is none.
 *
 * @example
 * ```ts
 * import { scoreMeans } from 'strata-lm/ledger'
 *
 * const part = (hf_subset: string, language: string, main_score: number) => ({
 *   hf_subset,
 *   main_score,
 *   languages: [language],
 * })
 * console.log(scoreMeans({ test: [part('en', 'eng-Latn', 0.8), part('de', 'deu-Latn', 0.6)] }))
 * // → { all: 0.7, english: 0.8 }
 * ```
 */
export function scoreMeans(scores: Scores): { all: number | null; english: number | null } {
  const parts = Object.values(scores).flat()
  const over = (some: readonly SubsetScores[]): number | null => {
    const values = some.flatMap(({ main_score: value }) => (value === null ? [] : [value]))
    return values.length === 0 || values.length < some.length ? null : roundScore(mean(values))
  }
  return {
    all: over(parts),
    english: over(
      parts.filter(({ languages }) => languages.length > 0 && languages.every((code) => code.startsWith('eng'))),
    ),
  }
}

/** The mean over every part of a result; null for a failure, and where a part has no score. */
export function finishedScore(result: Pick<Result, 'scores' | 'strata'> | undefined): number | null {
  return result?.strata.status === 'ok' ? scoreMeans(result.scores ?? {}).all : null
}

function hasScore(scores: Scores | undefined): boolean {
  return scores !== undefined && Object.values(scores).some((subsets) => subsets.length > 0)
}

function rounded(scores: Scores): Scores {
  return plain(scores) as Scores
}

/** The same value with rounded numbers; integers are unchanged. */
function plain(value: unknown): unknown {
  if (typeof value === 'number') return Number.isFinite(value) ? roundScore(value) : null
  if (Array.isArray(value)) return value.map(plain)
  if (value !== null && typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, plain(field)]))
  return value
}
