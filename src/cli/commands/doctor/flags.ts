/** Flags of `strata doctor`. */
import { everywhere } from '../../flags/everywhere.ts'
import { cacheDir } from '../../flags/machine.ts'
import { type Flag, wordsOf } from '../../spec/flag.ts'
import type { FlagValues } from '../../spec/flag-values.ts'

const install = {
  flags: '--install <engine>',
  help: 'libraries to fetch into the cache, of an engine or for a device',
  choices: wordsOf<'openvino' | 'cuda'>()(['openvino', 'cuda']),
} as const satisfies Flag

export const flags = [install, cacheDir, ...everywhere] as const satisfies readonly Flag[]

export type Flags = FlagValues<(typeof flags)[number]>
