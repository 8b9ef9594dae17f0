/** Parsed flags as the options of the rooms below: names are translated only here. */
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import type { OpenModelOptions } from '#experiment/open'
import type { SweepOptions } from '#experiment/sweep'
import { openStore, type VectorStore } from '#platform/vectors'
import { poolingNamed } from '#model/passes'
import type { cacheDir, cacheLimit, machine } from '../flags/machine.ts'
import type * as models from '../flags/models.ts'
import type { reading } from '../flags/reading.ts'
import type { overwriteStrategy, results } from '../flags/results.ts'
import type * as tasks from '../flags/tasks.ts'
import type { Terminal } from '../spec/command.ts'
import type { FlagValues } from '../spec/flag-values.ts'

/** Each command lists some of these; the others are absent. */
type CacheFlags = Partial<FlagValues<typeof cacheDir | typeof cacheLimit>>
type ModelFlags = CacheFlags &
  Partial<FlagValues<(typeof reading)[number] | (typeof machine)[number]>> & {
    readonly chat?: boolean | undefined
    readonly normalize?: boolean | undefined
  }
type SweepFlags = CacheFlags &
  Partial<
    FlagValues<
      | typeof results
      | typeof overwriteStrategy
      | typeof tasks.profile
      | typeof tasks.kmeans
      | typeof tasks.splits
      | typeof tasks.subsets
      | typeof tasks.languages
    >
  >

/** Folder of the layer vectors: the flag, `$STRATA_CACHE`, otherwise `~/.cache/strata`. */
export function cacheFolder({ cacheDir }: Pick<CacheFlags, 'cacheDir'> = {}): string {
  return resolve(cacheDir ?? process.env['STRATA_CACHE'] ?? join(homedir(), '.cache', 'strata'))
}

export function openVectorStore(flags: CacheFlags): VectorStore {
  return openStore(join(cacheFolder(flags), 'vectors'), { limitBytes: flags.cacheLimit })
}

/** The models named, and `--merge RECIPE` as the reference `merge:RECIPE`. */
export function modelReferences(args: readonly string[], { merge = [] }: FlagValues<typeof models.merge>): string[] {
  return [...args, ...merge.map((recipe) => `merge:${recipe}`)]
}

export function modelOptions(flags: ModelFlags, terminal: Terminal): OpenModelOptions {
  const { signal, progress: onProgress } = terminal
  const onNotice = (line: string): void => noteOnce(terminal, `notice  ${line}`)
  const {
    architecture,
    maxLength,
    finalNorm,
    prompt,
    promptName,
    adapter,
    chat,
    normalize,
    batchTokens,
    threads,
    device,
    engine,
    dtype,
  } = flags
  const pooling = flags.pooling === undefined ? undefined : poolingNamed(flags.pooling)
  const reading = { architecture, pooling, maxLength, finalNorm, prompt, promptName, adapter, chat, normalize }
  return {
    ...reading,
    batchTokens,
    threads,
    device,
    engine,
    dtype,
    store: openVectorStore(flags),
    signal,
    onProgress,
    onNotice,
  }
}

/** Lines that a command has printed: a model may be opened several times. */
const printed = new WeakMap<Terminal, Set<string>>()

function noteOnce(terminal: Terminal, line: string): void {
  const lines = printed.get(terminal) ?? new Set()
  printed.set(terminal, lines)
  if (lines.has(line)) return
  lines.add(line)
  terminal.note(line)
}

/** Options shared by the sweep and the task selection. */
export function sweepOptions(
  flags: SweepFlags,
  { signal, progress: onProgress }: Terminal,
): Omit<SweepOptions, 'tasks' | 'representations'> {
  const { results, profile, kmeans, overwriteStrategy, splits, subsets, languages } = flags
  const scratch = join(cacheFolder(flags), 'scratch')
  return {
    outputFolder: results,
    profile,
    kmeans,
    overwriteStrategy,
    splits,
    subsets,
    languages,
    scratch,
    signal,
    onProgress,
  }
}
