/** Scores of section `locales` of an experiment, as runs that can be compared. */
import { asFault, type Fault, mean } from '#core'
import { type LocaleRun, type SourceType, studyGrids, type StudyGrids } from '#experiment/locales'
import { sweepEntries } from '#experiment/sweep'
import { findResult } from '#result/ledger'
import { readItems } from '#result/statistics'
import { type JobPlaces, openModels } from './do-job.ts'
import type { ExperimentPlan } from './plan-experiment.ts'
import type { Experiment } from './read-experiment.ts'
import { findRepresentations, toSweep } from './score-jobs.ts'

export interface StudyRuns {
  readonly runs: readonly LocaleRun[]
  readonly grids: StudyGrids
  /** Models that could not be opened. */
  readonly unreadable: readonly Fault[]
}

/**
 * One run per locale and type that has a result of the current files. With sources there are three more types: `best
 * source` (in hindsight: by the scores that are compared), `mean source`, and `weighted source`, the mean of their
 * accuracies by the weights of the merge. No model is run.
 */
export async function localeRuns(
  experiment: Experiment,
  { jobs }: ExperimentPlan,
  places: JobPlaces,
): Promise<StudyRuns> {
  const scores = new Map<string, ReadonlyMap<string, Scored>>()
  const unreadable: Fault[] = []
  const models = await openModels(experiment, places)
  try {
    for (const job of jobs.filter(({ subsets }) => subsets !== undefined)) {
      places.signal.throwIfAborted()
      try {
        const model = await models.of(job)
        const sweep = toSweep(experiment, job, places.folder)
        const [entry] = await sweepEntries(model, {
          ...sweep,
          rerank: await models.second(),
          representations: await findRepresentations(model, job),
        })
        if (entry?.state !== 'reused') continue
        const place = {
          root: sweep.outputFolder ?? '',
          model: model.name,
          revision: await model.revision(),
          representation: entry.representation,
        }
        const found = await findResult(place, entry.task)
        const items = await readItems(place, entry.task)
        const { scores: parts = {}, date } = found?.result ?? {}
        const own = Object.entries(parts).flatMap(([split, subsets]) =>
          subsets.flatMap(({ hf_subset: locale, main_score: accuracy }) => {
            if (accuracy === null) return []
            const { correct, predicted } = items?.get(`${split}\n${locale}`) ?? {}
            const answers = correct === undefined ? undefined : Uint8Array.from(correct, Number)
            const about = { model: model.name, answers, predicted: predicted?.map(Number), date }
            return [[locale, { accuracy: shareOf(answers) ?? accuracy, ...about }] as const]
          }),
        )
        scores.set(plainReference(job.reference), new Map(own))
      } catch (error) {
        places.signal.throwIfAborted()
        unreadable.push(asFault(error, 'internal', job.reference))
      }
    }
  } finally {
    await models.close()
  }
  const runs = Object.entries(experiment.locales ?? {}).flatMap(([locale, { models: types, sources = {} }]) => {
    const of = (reference: string): Scored | undefined => scores.get(reference)?.get(locale)
    const own = Object.entries(types).flatMap(([type, reference]) => {
      const found = of(reference)
      return found === undefined ? [] : [toRun(locale, type, reference, found)]
    })
    return [
      ...own,
      ...ofSources(
        locale,
        Object.values(sources).map((one) => ({ ...one, accuracy: of(one.model)?.accuracy })),
      ),
    ]
  })
  const accuracyOf = (reference: string, locale: string) => scores.get(reference)?.get(locale)?.accuracy
  return { runs, grids: studyGrids(experiment.locales ?? {}, accuracyOf), unreadable }
}

/**
 * An experiment of one of its locales, without the sources that are scored alone, and the jobs of its models; undefined
 * where the plan has none of them.
 */
export function oneLocale(
  experiment: Experiment,
  plan: ExperimentPlan,
  locale: string,
): { readonly experiment: Experiment; readonly plan: ExperimentPlan } | undefined {
  const models = experiment.locales?.[locale]?.models
  if (models === undefined) return undefined
  const references = new Set(Object.values(models))
  const jobs = plan.jobs.filter(({ reference }) => references.has(plainReference(reference)))
  return jobs.length === 0
    ? undefined
    : { experiment: { ...experiment, locales: { [locale]: { models } } }, plan: { ...plan, jobs } }
}

/** As the file has it. */
function plainReference(reference: string): string {
  return reference.replace(/^merge:/, '')
}

/** An accuracy without the ledger's rounding to six decimals. */
function shareOf(answers: Uint8Array | undefined): number | undefined {
  return answers === undefined ? undefined : rightIn(answers) / answers.length
}

function rightIn(answers: Uint8Array): number {
  return answers.reduce((sum, answer) => sum + answer, 0)
}

interface Scored {
  readonly accuracy: number
  readonly model: string
  readonly answers: Uint8Array | undefined
  readonly predicted: readonly number[] | undefined
  /** Seconds since 1970. */
  readonly date: number | undefined
}

interface ScoredSource {
  readonly weight?: number | undefined
  readonly accuracy: number | undefined
}

/** Nothing while a source lacks its score: a mean of some would be another one. */
function ofSources(locale: string, sources: readonly ScoredSource[]): LocaleRun[] {
  const accuracies = sources.flatMap(({ accuracy }) => accuracy ?? [])
  if (accuracies.length === 0 || accuracies.length < sources.length) return []
  const weights = sources.flatMap(({ weight }) => weight ?? [])
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const one = (type: SourceType, accuracy: number): LocaleRun =>
    toRun(locale, type, '', { accuracy, model: '', answers: undefined, predicted: undefined, date: undefined })
  const weighted = accuracies.reduce((sum, accuracy, i) => sum + (accuracy * (weights[i] ?? 0)) / total, 0)
  return [
    ...(weights.length < sources.length ? [] : [one('weighted source', weighted)]),
    one('mean source', mean(accuracies)),
    one('best source', Math.max(...accuracies)),
  ]
}

function toRun(
  locale: string,
  type: string,
  reference: string,
  { accuracy, model, answers, predicted, date }: Scored,
): LocaleRun {
  const [correct, total] = answers === undefined ? [null, null] : [rightIn(answers), answers.length]
  return {
    locale,
    type,
    folder: reference,
    accuracy,
    correct,
    total,
    errorRate: correct === null ? 1 - accuracy : (total - correct) / total,
    model: model === '' ? null : model,
    subfolder: null,
    timestamp: date === undefined ? null : new Date(date * 1000).toISOString(),
    answers,
    predicted,
  }
}
