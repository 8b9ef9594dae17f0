/** Flags of `strata truncate`. */
import { everywhere } from '../../flags/everywhere.ts'
import { form, storedType, normalize } from '../../flags/export.ts'
import { hardware } from '../../flags/machine.ts'
import { plugin } from '../../flags/plugin.ts'
import { reading } from '../../flags/reading.ts'
import { selecting } from '../../flags/selecting.ts'
import { overwrite } from '../../flags/writing.ts'
import type { Flag } from '../../spec/flag.ts'
import { partOfScore } from '../../spec/parsers.ts'
import type { FlagValues } from '../../spec/flag-values.ts'

const maxLoss = {
  flags: '--max-loss <score>',
  help: 'mean validation score that may be lost, below 1 (0.01 is one point)',
  fallback: 0.01,
  parse: partOfScore('--max-loss'),
} as const satisfies Flag

export const out = { flags: '--out <folder>', help: 'folder to write the truncated model to' } as const satisfies Flag

export const flags = [
  ...selecting,
  maxLoss,
  form,
  out,
  storedType,
  normalize,
  overwrite,
  ...reading,
  ...hardware,
  plugin,
  ...everywhere,
] as const satisfies readonly Flag[]

export type Flags = FlagValues<(typeof flags)[number]>
