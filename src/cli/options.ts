/** Parsed flags as the options of the rooms below: names change here and nowhere else. */
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import type { ExportModelOptions } from '#experiment/write'
import type { OpenModelOptions } from '#experiment/open'
import type { SweepOptions } from '#experiment/sweep'
import { openStore, type VectorStore } from '#platform/vectors'
import { poolingNamed } from '#model/passes'
import type { Terminal } from './command.ts'
import type { FlagValues } from './flag-values.ts'

/** Each command lists some of these; what it does not list is not given. */
type CacheFlags = Partial<FlagValues<'cacheDir' | 'cacheLimit'>>
type ModelFlags = CacheFlags &
  Partial<
    FlagValues<
      | 'architecture'
      | 'pooling'
      | 'maxLength'
      | 'finalNorm'
      | 'prompt'
      | 'promptName'
      | 'chat'
      | 'batchTokens'
      | 'threads'
      | 'device'
      | 'engine'
      | 'dtype'
    >
  >
type ExportFlags = FlagValues<
  | 'exportForm'
  | 'storedType'
  | 'normalize'
  | 'pooling'
  | 'finalNorm'
  | 'maxLength'
  | 'outputFolder'
  | 'threads'
  | 'overwrite'
>
type SweepFlags = CacheFlags &
  Partial<FlagValues<'outputFolder' | 'profile' | 'kmeans' | 'overwriteStrategy' | 'splits' | 'subsets' | 'languages'>>

/** Folder of the layer vectors: the flag, `$STRATA_CACHE`, else `~/.cache/strata`. */
export function cacheFolder({ cacheDir }: Pick<CacheFlags, 'cacheDir'> = {}): string {
  return resolve(cacheDir ?? process.env['STRATA_CACHE'] ?? join(homedir(), '.cache', 'strata'))
}

export function storeOf(flags: CacheFlags): VectorStore {
  return openStore(join(cacheFolder(flags), 'vectors'), { limitBytes: flags.cacheLimit })
}

/** The models named, and `--merge RECIPE` as the reference `merge:RECIPE`. */
export function modelReferences(args: readonly string[], { merge = [] }: FlagValues<'merge'>): string[] {
  return [...args, ...merge.map((recipe) => `merge:${recipe}`)]
}

export function modelOptions(flags: ModelFlags, { signal, progress: onProgress }: Terminal): OpenModelOptions {
  const { architecture, maxLength, finalNorm, prompt, promptName, chat, batchTokens, threads, device, engine, dtype } =
    flags
  const pooling = flags.pooling === undefined ? undefined : poolingNamed(flags.pooling)
  const reading = { architecture, pooling, maxLength, finalNorm, prompt, promptName, chat }
  return { ...reading, batchTokens, threads, device, engine, dtype, store: storeOf(flags), signal, onProgress }
}

/**
 * What every command that writes an export takes; the representation, the folder and the command line of the card are
 * its own.
 */
export function exportOptions(
  { as: form, dtype, normalize, pooling, finalNorm, maxLength, outputFolder, threads, overwrite }: ExportFlags,
  { signal, progress: onProgress }: Terminal,
): Omit<ExportModelOptions, 'representation' | 'out' | 'command'> {
  const reading = { pooling: pooling === undefined ? undefined : poolingNamed(pooling), finalNorm, maxLength }
  return {
    as: form,
    dtype,
    normalize: normalize === true,
    ...reading,
    outputFolder,
    threads,
    overwrite: overwrite === true,
    signal,
    onProgress,
  }
}

/** What the sweep and the task selection share. */
export function sweepOptions(
  flags: SweepFlags,
  { signal, progress: onProgress }: Terminal,
): Omit<SweepOptions, 'tasks' | 'representations'> {
  const { outputFolder, profile, kmeans, overwriteStrategy, splits, subsets, languages } = flags
  const scratch = join(cacheFolder(flags), 'scratch')
  return { outputFolder, profile, kmeans, overwriteStrategy, splits, subsets, languages, scratch, signal, onProgress }
}
