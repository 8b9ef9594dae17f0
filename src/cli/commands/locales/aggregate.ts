/** `strata locales aggregate`: compares results of many locales, and writes the comparison. */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Fault, fault, quantity } from '#core'
import {
  compareLocales,
  comparisonTables,
  languages,
  type LocaleComparison,
  type LocaleRun,
  readRuns,
  studyFile,
  type StudyGrids,
  writeComparison,
  writeComparisonPage,
} from '#experiment/locales'
import { type Experiment, localeRuns, planExperiment, readExperiment } from '#experiment/run'
import { asTextPage } from '#result/report'
import type { Terminal } from '../../spec/command.ts'
import { cacheFolder } from '../../options/model-options.ts'
import type { Flags } from './flags.ts'

interface FoundRuns {
  readonly runs: readonly LocaleRun[]
  readonly unknown: readonly string[]
  readonly unreadable: readonly Fault[]
  /** Undefined without a study. */
  readonly grids?: StudyGrids | undefined
}

/** Returns 1 when some result could not be read. */
export async function aggregate(folder: string, flags: Flags, terminal: Terminal): Promise<number> {
  const known = await languages()
  const isStudy = (await stat(join(folder, studyFile)).catch(() => undefined)) !== undefined
  const found = isStudy
    ? { ...(await studyRuns(folder, flags, terminal)), unknown: [] }
    : await readRuns(folder, new Set(known.keys()))
  const comparison = shown(folder, found, known.keys(), flags, terminal)
  const { format, outputPrefix: prefix } = flags
  for (const path of await writeComparison(found.runs, comparison, { format, prefix, at: new Date() }))
    terminal.note(`written to ${path}`)
  await writePageOf(folder, found, comparison, flags, terminal)
  return found.unreadable.length > 0 ? 1 : 0
}

export interface StudyScores extends Omit<FoundRuns, 'unknown'> {
  readonly experiment: Experiment
}

/** Shows the comparison of a study that has just run: nothing is written but the page of `--out`. */
export async function compareStudy(folder: string, flags: Flags, terminal: Terminal): Promise<StudyScores> {
  const found = await studyRuns(folder, flags, terminal)
  const comparison = shown(folder, { ...found, unknown: [] }, [], flags, terminal)
  await writePageOf(folder, { ...found, unknown: [] }, comparison, flags, terminal)
  return found
}

async function writePageOf(
  folder: string,
  { runs, grids }: FoundRuns,
  comparison: LocaleComparison,
  { out }: Flags,
  terminal: Terminal,
): Promise<void> {
  if (out === undefined) return
  await writeComparisonPage(out, comparison, { runs, folder, grids })
  terminal.note(`page written to ${out}`)
}

async function studyRuns(folder: string, flags: Flags, { signal }: Terminal): Promise<StudyScores> {
  const experiment = await readExperiment(join(folder, studyFile))
  const plan = await planExperiment(experiment)
  const places = { folder, cache: cacheFolder(flags), model: {}, signal }
  return { experiment, ...(await localeRuns(experiment, plan, places)) }
}

function shown(
  folder: string,
  { runs, unknown, unreadable }: FoundRuns,
  known: Iterable<string>,
  flags: Flags,
  terminal: Terminal,
): LocaleComparison {
  for (const { message } of unreadable) terminal.note(`unreadable  ${message}`)
  if (runs.length === 0)
    throw fault('result.invalid', {
      place: folder,
      what: 'no result of a locale in it',
      seen: unknown.length === 0 ? undefined : unknown.slice(0, 5),
      wanted: '{type}_{locale}/results.json, such as baseline_sq-AL/results.json, or the folder of a study',
    })
  const comparison = compareLocales(runs)
  const without = missingLocales(comparison, known)
  if (flags.json === true)
    terminal.print(JSON.stringify({ ...comparison, missing: without.byType, absent: without.absent, unknown }))
  else {
    for (const line of asTextPage(comparisonTables(comparison))) terminal.print(line)
    if (flags.showMissing === true) {
      for (const [type, locales] of Object.entries(without.byType))
        terminal.print(`no ${type}  ${quantity(locales.length, 'locale')}: ${locales.join(', ')}`)
      if (without.absent.length > 0)
        terminal.print(`no result at all  ${quantity(without.absent.length, 'locale')}: ${without.absent.join(', ')}`)
    }
  }
  if (unknown.length > 0)
    terminal.note(`not compared, since their names have no type and locale: ${unknown.join(', ')}`)
  for (const { type, locale, folder: from } of comparison.repeated)
    terminal.note(`not compared, since there is another ${type} for ${locale}: ${from}`)
  return comparison
}

/** By type, the locales of the comparison that have no result of it; and MASSIVE's locales that have none at all. */
function missingLocales(
  { types, rows, summary }: LocaleComparison,
  known: Iterable<string>,
): { readonly byType: Readonly<Record<string, readonly string[]>>; readonly absent: readonly string[] } {
  const there = new Set(rows.map(({ locale }) => locale))
  return {
    byType: Object.fromEntries(
      types
        .filter((type) => Object.hasOwn(summary, type))
        .map(
          (type) =>
            [type, rows.flatMap(({ locale, accuracy }) => (accuracy[type] === undefined ? [locale] : []))] as const,
        )
        .filter(([, locales]) => locales.length > 0),
    ),
    absent: [...known].filter((locale) => !there.has(locale)),
  }
}
