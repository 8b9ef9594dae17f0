/** Flags of `strata verify`. */
import { everywhere } from '../../flags/everywhere.ts'
import { results, against } from '../../flags/results.ts'
import { tasks, benchmark, types } from '../../flags/tasks.ts'
import type { Flag } from '../../spec/flag.ts'
import type { FlagValues } from '../../spec/flag-values.ts'

export const flags = [results, tasks, benchmark, types, against, ...everywhere] as const satisfies readonly Flag[]

export type Flags = FlagValues<(typeof flags)[number]>
