/** `strata locales --layout merginguriel`: a finished study in the files of that project. */
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
import { describeRuns } from '#experiment/run'
import { parseReference } from '#files/hub'
import { cacheFolder } from '../../options/model-options.ts'
import type { Terminal } from '../../spec/command.ts'
import type { StudyScores } from './aggregate.ts'
import type { Flags } from './flags.ts'
import { mergedFolder } from './write-models.ts'

export interface FinishedStudy {
  readonly study: Study
  readonly scores: StudyScores
  readonly known: ReadonlyMap<string, Language>
  readonly table: LocaleTable
  readonly models: ReadonlyMap<string, string>
  readonly targets: readonly string[]
  readonly modes: readonly StudyMode[]
}

/** Returns the paths of the files that are no result of a single run. */
export async function writeLayout(
  folder: string,
  { study: { locales }, scores, known, table, models, targets, modes }: FinishedStudy,
  flags: Flags,
  { signal }: Terminal,
): Promise<string[]> {
  const { subfolder, baseModel: base, startFrom, maxLocales: most } = flags
  const runs = await describeRuns(scores.experiment, scores.runs, { cache: cacheFolder(flags), model: {}, signal })
  await writeRunFiles(
    folder,
    runs.map((run) => ({ ...run, ...namedAsGiven(run, flags) })),
  )
  const all = [...models.keys()]
  return [
    ...(await writeProgress(folder, { runs, targets, modes, all, startFrom, most, at: new Date() })),
    ...(await writeMatrices(folder, { languages: known, table, models, locales, subfolder, base, authorOf })),
  ]
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
