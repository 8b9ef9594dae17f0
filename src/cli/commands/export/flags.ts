/** Flags of `strata export`. */
import { everywhere } from '../../flags/everywhere.ts'
import { form, storedType, normalize } from '../../flags/export.ts'
import { threads } from '../../flags/machine.ts'
import { oneRepresentation } from '../../flags/models.ts'
import { plugin } from '../../flags/plugin.ts'
import { pooling, finalNorm, maxLength } from '../../flags/reading.ts'
import { results } from '../../flags/results.ts'
import { overwrite } from '../../flags/writing.ts'
import type { Flag } from '../../spec/flag.ts'
import type { FlagValues } from '../../spec/flag-values.ts'

const out = { flags: '--out <folder>', help: 'folder to write the model to' } as const satisfies Flag

export const flags = [
  oneRepresentation,
  form,
  out,
  storedType,
  normalize,
  pooling,
  finalNorm,
  maxLength,
  results,
  threads,
  overwrite,
  plugin,
  ...everywhere,
] as const satisfies readonly Flag[]

export type Flags = FlagValues<(typeof flags)[number]>
