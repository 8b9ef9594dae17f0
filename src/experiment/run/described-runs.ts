/** Runs of a study with what their files say in addition: configs of the models, first texts of the locales. */
import { Fault, fault } from '#core'
import { type DescribedRun, type LabelledText, type LocaleRun, shownTexts, sourceTypes } from '#experiment/locales'
import { readConfig, readEnsemble, resolveModel } from '#experiment/open'
import { openDatasets } from '#experiment/sweep'
import { taskRows, type TaskInfo } from '#task/rows'
import { isRecipe } from './locale-jobs.ts'
import type { JobPlaces } from './do-job.ts'
import type { Experiment } from './read-experiment.ts'

type Config = Readonly<Record<string, unknown>>

/**
 * The runs of models, without those of sources. Nothing is downloaded for the texts. Throws what opening the models
 * throws.
 */
export async function describeRuns(
  experiment: Experiment,
  runs: readonly LocaleRun[],
  { cache, model, signal }: Pick<JobPlaces, 'cache' | 'model' | 'signal'>,
): Promise<DescribedRun[]> {
  const [task] = experiment.found.tasks
  if (task === undefined) throw fault('internal', { place: experiment.path, what: 'no task' })
  const own = runs.filter(({ type }) => !sourceTypes.some((one) => one === type))
  const texts = new Map<string, readonly LabelledText[] | undefined>()
  const configs = new Map<string, Config | undefined>()
  const described: DescribedRun[] = []
  for (const run of own) {
    const { locale, folder: reference } = run
    signal.throwIfAborted()
    if (!texts.has(locale)) texts.set(locale, await firstTexts(experiment, task, locale, { cache, signal }))
    if (!configs.has(reference)) configs.set(reference, await configOf(reference, { ...model, signal }))
    described.push({ ...run, config: configs.get(reference), texts: texts.get(locale), intents: task.labels ?? [] })
  }
  return described
}

/** Undefined for an ensemble. */
async function configOf(
  reference: string,
  { signal, onProgress }: Pick<JobPlaces['model'], 'signal' | 'onProgress'>,
): Promise<Config | undefined> {
  if (isRecipe(reference) && (await readEnsemble(reference)) !== undefined) return undefined
  const { body, tensors } = await resolveModel(isRecipe(reference) ? `merge:${reference}` : reference, {
    signal,
    onProgress,
  })
  try {
    return await readConfig(body)
  } finally {
    await tensors.close()
  }
}

/** Undefined where the rows cannot be read without downloading them. */
async function firstTexts(
  { found: { ownData }, profile }: Experiment,
  task: TaskInfo,
  locale: string,
  { cache, signal }: Pick<JobPlaces, 'cache' | 'signal'>,
): Promise<readonly LabelledText[] | undefined> {
  const { text = '', label = '' } = task.columns
  const openDataset = openDatasets({ offline: true, ownData, signal, onProgress: undefined })
  const read = await taskRows(task, { openDataset, scratch: cache, signal, profile, subsets: [locale] }).catch(
    (error: unknown) => {
      signal.throwIfAborted()
      if (error instanceof Fault) return undefined
      throw error
    },
  )
  if (read === undefined) return undefined
  try {
    const shown: LabelledText[] = []
    for (const { row } of read.rows()) {
      if (shown.length === shownTexts) break
      const intent = row[label]
      shown.push({
        text: String(row[text]),
        intent: typeof intent === 'number' ? intent : (task.labels ?? []).indexOf(String(intent)),
      })
    }
    return shown.length === 0 ? undefined : shown
  } finally {
    read.close()
  }
}
