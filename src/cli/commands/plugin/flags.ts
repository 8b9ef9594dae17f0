/** Flags of `strata plugin`. */
import { everywhere } from '../../flags/everywhere.ts'
import type { Flag } from '../../spec/flag.ts'
import type { FlagValues } from '../../spec/flag-values.ts'

export const flags = [...everywhere] as const satisfies readonly Flag[]

export type Flags = FlagValues<(typeof flags)[number]>
