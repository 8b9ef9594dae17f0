/** `strata locales --layout merginguriel`: a study in the files of that project, locale by locale while it runs. */
import {
  type DescribedRun,
  type Language,
  type LocaleRun,
  type LocaleTable,
  type Study,
  type StudyMode,
  withoutSubfolder,
  writeMatrices,
  writeProgress,
  writeRunFiles,
} from '#experiment/locales'
import { describeRuns, localeRuns, oneLocale, planExperiment, readExperiment } from '#experiment/run'
import { finishedJobs } from '#experiment/workers'
import { parseReference } from '#files/hub'
import { cacheFolder } from '../../options/model-options.ts'
import type { Terminal } from '../../spec/command.ts'
import type { StudyScores } from './aggregate.ts'
import type { Flags } from './flags.ts'
import { mergedFolder } from './write-models.ts'

export interface LaidStudy {
  readonly study: Study
  readonly known: ReadonlyMap<string, Language>
  readonly table: LocaleTable
  readonly models: ReadonlyMap<string, string>
  readonly targets: readonly string[]
  readonly modes: readonly StudyMode[]
}

/** Returns the paths of the files that are no result of a single run. */
export async function writeLayout(
  folder: string,
  { study: { locales }, known, table, ...laid }: LaidStudy,
  scores: Pick<StudyScores, 'experiment' | 'runs'>,
  flags: Flags,
  terminal: Terminal,
): Promise<string[]> {
  const { models } = laid
  const { subfolder, baseModel: base } = flags
  return [
    ...(await writeRuns(folder, laid, scores, flags, terminal)),
    ...(await writeMatrices(folder, { languages: known, table, models, locales, subfolder, base, authorOf })),
  ]
}

/** Results and progress of the targets. */
async function writeRuns(
  folder: string,
  { models, targets, modes }: Pick<LaidStudy, 'models' | 'targets' | 'modes'>,
  { experiment, runs: found }: Pick<StudyScores, 'experiment' | 'runs'>,
  flags: Flags,
  { signal }: Terminal,
): Promise<string[]> {
  const { startFrom, maxLocales: most } = flags
  const runs = await describeRuns(experiment, found, { cache: cacheFolder(flags), model: {}, signal })
  await writeRunFiles(
    folder,
    runs.map((run) => ({ ...run, ...namedAsGiven(run, flags) })),
  )
  return writeProgress(folder, { runs, targets, modes, all: [...models.keys()], startFrom, most, at: new Date() })
}

/**
 * Writes each target of the study in `file` once the jobs of its models have ended. What the returned function finds
 * wrong is left to `writeLayout`, which writes all of them again.
 */
export async function layoutAlong(
  folder: string,
  file: string,
  laid: Pick<LaidStudy, 'models' | 'targets' | 'modes'>,
  flags: Flags,
  terminal: Terminal,
): Promise<() => Promise<void>> {
  const experiment = await readExperiment(file)
  const plan = await planExperiment(experiment)
  const open = new Set(laid.targets)
  const write = async (locale: string, own: NonNullable<ReturnType<typeof oneLocale>>): Promise<void> => {
    const places = { folder, cache: cacheFolder(flags), model: {}, signal: terminal.signal }
    const { runs } = await localeRuns(own.experiment, own.plan, places)
    await writeRuns(folder, { ...laid, targets: [locale] }, { experiment: own.experiment, runs }, flags, terminal)
  }
  const look = async (): Promise<void> => {
    const ended = await finishedJobs(folder)
    for (const locale of open) {
      const own = oneLocale(experiment, plan, locale)
      if (own?.plan.jobs.every(({ id }) => ended.has(id)) !== true) continue
      open.delete(locale)
      await write(locale, own)
    }
  }
  let work = Promise.resolve()
  return () => (work = work.then(look).catch(() => undefined))
}

/** A model by its reference, a written merge by its folder; others as in the results of this program. */
function namedAsGiven(
  { type, locale, folder, model, config }: DescribedRun,
  { subfolder, writeModels }: Flags,
): Pick<LocaleRun, 'model' | 'subfolder'> {
  if (type === 'baseline') return withoutSubfolder(folder, locale, subfolder)
  const isWritten = writeModels === true && config !== undefined
  return { model: isWritten ? mergedFolder(type, locale) : model, subfolder: null }
}

function authorOf(model: string): string | null {
  const reference = parseReference(model)
  const [owner, name] = reference.kind === 'hub' ? reference.name.split('/') : []
  return owner === undefined || name === undefined ? null : owner
}
