/** What `strata tasks` takes. */
import { everywhere } from '../../flags/everywhere.ts'
import { includePath } from '../../flags/harness.ts'
import { cacheDir } from '../../flags/machine.ts'
import { benchmark, types, languages, domains, taskFile, splits, subsets, profile } from '../../flags/tasks.ts'
import type { CommandSpec, FlagsOf } from '../../spec/command.ts'
import type { Flag } from '../../spec/flag.ts'
import { harness, runnable, unsupported, count, benchmarks, rows, texts, limit } from './flags.ts'

const choosing = [benchmark, types, languages, domains] as const satisfies readonly Flag[]
const reading = [...choosing, taskFile, splits, subsets, profile, cacheDir] as const satisfies readonly Flag[]

/** What is printed, by the flag that asks for it, and the flags that act on it. */
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

export const command = {
  name: 'tasks',
  group: 'look',
  summary: 'list tasks, or show everything about one',
  args: [['[names...]', 'names and globs']],
  flags: [
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
  ],
  examples: [
    'strata tasks "STS*"',
    'strata tasks SciFact',
    'strata tasks --benchmark "MTEB(eng, v2)" --unsupported',
    'strata tasks --runnable --count',
    'strata tasks STS17 --rows --subsets en-en --limit 3',
    'strata tasks SciFact --texts',
    'strata tasks --harness fetch 0.4.13',
    'strata tasks --harness "blimp*"',
  ],
} as const satisfies CommandSpec

export type Flags = FlagsOf<typeof command>
