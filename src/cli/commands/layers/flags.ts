/** Flags of `strata layers`. */
import { dryRun, everywhere } from '../../flags/everywhere.ts'
import { machine } from '../../flags/machine.ts'
import { merge, layers, furtherRepresentations } from '../../flags/models.ts'
import { plot, background } from '../../flags/pictures.ts'
import { plugin } from '../../flags/plugin.ts'
import { furtherReading, normalize, poolingOrMaxSim } from '../../flags/reading.ts'
import { asking } from '../../flags/selecting.ts'
import type { Flag } from '../../spec/flag.ts'
import type { FlagValues } from '../../spec/flag-values.ts'

export const flags = [
  ...asking,
  merge,
  layers,
  furtherRepresentations,
  plot,
  background,
  poolingOrMaxSim,
  ...furtherReading,
  normalize,
  ...machine,
  dryRun,
  plugin,
  ...everywhere,
] as const satisfies readonly Flag[]

export type Flags = FlagValues<(typeof flags)[number]>
