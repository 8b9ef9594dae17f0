/** What `strata doctor` takes. */
import { everywhere } from '../../flags/everywhere.ts'
import { cacheDir } from '../../flags/machine.ts'
import type { CommandSpec, FlagsOf } from '../../spec/command.ts'
import { type Flag, wordsOf } from '../../spec/flag.ts'

const install = {
  flags: '--install <engine>',
  help: 'second engine whose libraries to fetch into the cache',
  choices: wordsOf<'openvino'>()(['openvino']),
} as const satisfies Flag

export const command = {
  name: 'doctor',
  group: 'look',
  summary: 'check machine, engines, cache and hub',
  args: [],
  flags: [install, cacheDir, ...everywhere],
  examples: ['strata doctor', 'strata doctor --install openvino'],
} as const satisfies CommandSpec

export type Flags = FlagsOf<typeof command>
