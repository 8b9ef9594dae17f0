/** Flags of `strata models`. */
import { everywhere } from '../../flags/everywhere.ts'
import { architecture } from '../../flags/reading.ts'
import type { Flag } from '../../spec/flag.ts'
import type { FlagValues } from '../../spec/flag-values.ts'

export const flags = [architecture, ...everywhere] as const satisfies readonly Flag[]

export type Flags = FlagValues<(typeof flags)[number]>
