/** Parsed flags as the options of the rooms below: names change here and nowhere else. */
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Profile } from '#task/registry'
import type { OpenModelOptions } from '#experiment/open'
import type { KMeansProfile } from '#platform/linalg'
import { defaultLimitBytes, openStore, type VectorStore } from '#platform/vectors'
import { poolingNamed } from '#model/checkpoint'
import type { FlagValues, Terminal } from './command.ts'

/** Folder of the layer vectors: the flag, `$STRATA_CACHE`, else `~/.cache/strata`. */
export function cacheFolder(flags: FlagValues): string {
  return resolve((flags.cacheDir as string | undefined) ?? process.env['STRATA_CACHE'] ?? join(homedir(), '.cache', 'strata'))
}

export function storeOf(flags: FlagValues): VectorStore {
  return openStore(join(cacheFolder(flags), 'vectors'), { limitBytes: (flags.cacheLimit as number | undefined) ?? defaultLimitBytes })
}

/** The models named, and `--merge RECIPE` as the reference `merge:RECIPE`. */
export function modelReferences(args: readonly string[], { merge = [] }: FlagValues): string[] {
  return [...args, ...(merge as readonly string[]).map((recipe) => `merge:${recipe}`)]
}

export function modelOptions(flags: FlagValues, terminal: Terminal): OpenModelOptions {
  const { architecture, maxLength, finalNorm, prompt, promptName, batchTokens, threads, device, chat, pooling } = flags
  return {
    ...present({ architecture, maxLength, finalNorm, prompt, promptName, batchTokens, threads, device, chat }),
    ...(pooling === undefined ? {} : { pooling: poolingNamed(pooling as string) }),
    store: storeOf(flags),
    signal: terminal.signal,
    onProgress: terminal.progress,
  }
}

/** What the sweep and the task selection share. */
export function sweepOptions(
  flags: FlagValues,
  terminal: Terminal,
): {
  outputFolder: string
  profile: Profile
  kmeans: KMeansProfile
  overwriteStrategy: 'only-missing' | 'always' | 'never' | 'only-cache'
  splits?: string[]
  subsets?: string[]
  languages?: string[]
  scratch: string
  signal: AbortSignal
  onProgress: Terminal['progress']
} {
  const { outputFolder, profile, kmeans, overwriteStrategy, splits, subsets, languages } = flags
  return {
    ...(present({ outputFolder, profile, kmeans, overwriteStrategy, splits, subsets, languages }) as ReturnType<typeof sweepOptions>),
    scratch: join(cacheFolder(flags), 'scratch'),
    signal: terminal.signal,
    onProgress: terminal.progress,
  }
}

/** The fields that were given. */
function present(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}
