/** Flags of `strata tasks`. */
import { everywhere } from '../../flags/everywhere.ts'
import { includePath } from '../../flags/harness.ts'
import { cacheDir } from '../../flags/machine.ts'
import { benchmark, types, languages, domains, taskFile, splits, subsets, profile } from '../../flags/tasks.ts'
import type { Flag } from '../../spec/flag.ts'
import { positive } from '../../spec/parsers.ts'
import type { FlagValues } from '../../spec/flag-values.ts'

export const harness = {
  flags: '--harness',
  help: 'tasks of lm-evaluation-harness; the name fetch downloads its task files',
} as const satisfies Flag

export const runnable = { flags: '--runnable', help: 'only tasks that can be run' } as const satisfies Flag

export const unsupported = {
  flags: '--unsupported',
  help: 'only tasks that cannot be run, with the reason',
} as const satisfies Flag

export const count = { flags: '--count', help: 'print only their number' } as const satisfies Flag

export const benchmarks = { flags: '--benchmarks', help: 'list benchmarks instead of tasks' } as const satisfies Flag

export const rows = {
  flags: '--rows',
  help: 'print the rows of the tasks as their evaluation reads them',
} as const satisfies Flag

export const texts = {
  flags: '--texts',
  help: 'print every text of the tasks once, to embed them elsewhere',
} as const satisfies Flag

export const limit = {
  flags: '--limit <n>',
  help: '--rows: maximum number of rows per table',
  parse: positive('--limit'),
} as const satisfies Flag

const choosing = [benchmark, types, languages, domains] as const satisfies readonly Flag[]

const reading = [...choosing, taskFile, splits, subsets, profile, cacheDir] as const satisfies readonly Flag[]

/** A kind of output, with the flag that selects it, and the flags that have an effect on it. */
interface Way {
  readonly flag: Flag | undefined
  readonly acting: readonly Flag[]
  readonly hint: string
}

export const listing: Way = {
  flag: undefined,
  acting: [...choosing, runnable, unsupported, count, ...everywhere],
  hint: 'add --rows, --texts or --harness, or leave it out',
}

export const ways: readonly Way[] = [
  { flag: harness, acting: [harness, includePath, count, cacheDir, ...everywhere], hint: 'leave it out' },
  { flag: benchmarks, acting: [benchmarks, count, ...everywhere], hint: 'leave it out' },
  { flag: texts, acting: [texts, ...reading, ...everywhere], hint: 'leave it out' },
  { flag: rows, acting: [rows, limit, ...reading, ...everywhere], hint: 'leave it out' },
]

export const flags = [
  harness,
  includePath,
  benchmark,
  types,
  languages,
  domains,
  runnable,
  unsupported,
  count,
  benchmarks,
  rows,
  texts,
  taskFile,
  splits,
  subsets,
  limit,
  profile,
  cacheDir,
  ...everywhere,
] as const satisfies readonly Flag[]

export type Flags = FlagValues<(typeof flags)[number]>
