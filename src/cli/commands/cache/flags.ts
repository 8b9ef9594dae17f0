/** Flags of `strata cache`. */
import { everywhere } from '../../flags/everywhere.ts'
import { cacheDir, cacheLimit } from '../../flags/machine.ts'
import type { Flag } from '../../spec/flag.ts'
import { bytes } from '../../spec/parsers.ts'
import type { FlagValues } from '../../spec/flag-values.ts'

export const size = {
  flags: '--size <size>',
  help: 'trim: size to trim the cache to (default: --cache-limit)',
  parse: bytes('--size'),
} as const satisfies Flag

export const flags = [cacheDir, cacheLimit, size, ...everywhere] as const satisfies readonly Flag[]

export type Flags = FlagValues<(typeof flags)[number]>
