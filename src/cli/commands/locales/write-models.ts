/** `strata locales --write-models`: the merges of a study as checkpoints, with the details that merginguriel notes. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { asFault } from '#core'
import {
  type Language,
  type MergedSource,
  type Study,
  studyModes,
  withoutSubfolder,
  writeMergeDetails,
} from '#experiment/locales'
import { type OpenedMerge, openMergeFile, readEnsemble } from '#experiment/open'
import { isFinishedMerge, readManifest, writeMerge } from '#experiment/write'
import type { Terminal } from '../../spec/command.ts'
import type { Flags } from './flags.ts'

export interface WrittenStudy {
  readonly study: Study
  readonly known: ReadonlyMap<string, Language>
  /** References by locale. */
  readonly models: ReadonlyMap<string, string>
  /** Pattern of the folders inside the models. */
  readonly subfolder: string | undefined
}

/** Returns 1 when some merge could not be written; the others are. */
export async function writeModels(
  folder: string,
  { study, known, models, subfolder }: WrittenStudy,
  flags: Flags,
  terminal: Terminal,
): Promise<number> {
  let failed = 0
  for (const [locale, { models: types }] of Object.entries(study.locales))
    for (const mode of studyModes) {
      const recipe = types[mode]
      if (recipe === undefined || mode === 'baseline') continue
      terminal.signal.throwIfAborted()
      if ((await readEnsemble(join(folder, recipe))) !== undefined) {
        terminal.note(`not written  ${mode} for ${locale}: models that vote are not one model`)
        continue
      }
      const target = join(folder, mergedFolder(mode, locale))
      const details = (study.shares.get(recipe) ?? []).map(({ source, weight }): MergedSource => ({
        ...withoutSubfolder(models.get(source) ?? source, source, subfolder),
        language: known.get(source)?.language ?? source,
        locale: source,
        weight,
      }))
      try {
        const { isNew, ...about } = await written(join(folder, recipe), target, flags, terminal)
        const language = known.get(locale)?.language ?? locale
        // a run that was killed in between left none
        if (isNew || !existsSync(join(target, 'merge_details.json')))
          await writeMergeDetails(target, { mode, at: new Date(), language, sources: details, ...about })
        terminal.note(`${isNew ? 'written to' : 'already in'} ${target}`)
      } catch (error) {
        terminal.signal.throwIfAborted()
        failed++
        terminal.note(`failed  ${asFault(error, 'file.write', target).message}`)
      }
    }
  return failed > 0 ? 1 : 0
}

interface WrittenMerge {
  readonly isNew: boolean
  readonly base: string
  readonly inputs: unknown
  readonly files: unknown
}

/** Throws what `writeMerge` throws: `usage.conflict` for a folder of another merge, without `--overwrite`. */
async function written(
  recipe: string,
  target: string,
  { overwrite, threads }: Flags,
  { signal, progress: onProgress }: Terminal,
): Promise<WrittenMerge> {
  const opened = await openMergeFile(recipe, { signal, onProgress })
  try {
    const isNew = !(await isFinishedMerge(opened, target))
    if (isNew) await writeMerge(opened, target, { overwrite: overwrite === true, threads, signal, onProgress })
    const { inputs = null, files = null } = (await readManifest(target)) ?? {}
    return { isNew, base: donorOf(opened), inputs, files }
  } finally {
    await opened.close()
  }
}

/** The model that lends a merge its config and tokenizer: a fold has them from its first step. */
function donorOf({ donor: { model, merged } }: OpenedMerge): string {
  return merged === undefined ? model : donorOf(merged)
}

/** As merginguriel names it. */
export function mergedFolder(mode: string, locale: string): string {
  return `merged_models/${mode}_merge_${locale}`
}
