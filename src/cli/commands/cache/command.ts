/** What `strata cache` takes. */
import { everywhere } from '../../flags/everywhere.ts'
import { cacheDir, cacheLimit } from '../../flags/machine.ts'
import type { CommandSpec, FlagsOf } from '../../spec/command.ts'
import type { Flag } from '../../spec/flag.ts'
import { bytes } from '../../spec/parsers.ts'

export const size = {
  flags: '--size <size>',
  help: 'trim: size to trim the cache to (default: --cache-limit)',
  parse: bytes('--size'),
} as const satisfies Flag

export const command = {
  name: 'cache',
  group: 'move',
  summary: 'show, trim or clear the cache of layer vectors',
  args: [['[action]', 'show (default), trim, clear']],
  flags: [cacheDir, cacheLimit, size, ...everywhere],
  examples: ['strata cache', 'strata cache trim --size 10G'],
} as const satisfies CommandSpec

export type Flags = FlagsOf<typeof command>
