/** Flags of `strata evaluate`. */
import { dryRun, everywhere } from '../../flags/everywhere.ts'
import { cacheDir, machine } from '../../flags/machine.ts'
import { merge, representation } from '../../flags/models.ts'
import { normalize, reading } from '../../flags/reading.ts'
import { asking } from '../../flags/selecting.ts'
import { benchmark, domains, languages, maxSamples, taskFile, tasks, types } from '../../flags/tasks.ts'
import type { Flag } from '../../spec/flag.ts'
import type { FlagValues } from '../../spec/flag-values.ts'

const vectors = {
  flags: '--vectors <file>',
  help: 'recorded vectors instead of a model: .npy, .npz or .safetensors, row i for text i of --texts',
} as const satisfies Flag

const texts = {
  flags: '--texts <file>',
  help: 'texts of --vectors, as printed by strata tasks NAME --texts',
} as const satisfies Flag

/** Flags that have an effect without a model: the plan covers the tasks alone. */
export const forTasks = [
  tasks,
  benchmark,
  taskFile,
  types,
  languages,
  domains,
  maxSamples,
  dryRun,
  ...everywhere,
] as const satisfies readonly Flag[]

/** Flags that have an effect on recorded vectors. */
export const forVectors = [
  ...asking,
  representation,
  vectors,
  texts,
  cacheDir,
  dryRun,
  ...everywhere,
] as const satisfies readonly Flag[]

export const flags = [
  ...asking,
  merge,
  representation,
  vectors,
  texts,
  ...reading,
  normalize,
  ...machine,
  dryRun,
  ...everywhere,
] as const satisfies readonly Flag[]

export type Flags = FlagValues<(typeof flags)[number]>
