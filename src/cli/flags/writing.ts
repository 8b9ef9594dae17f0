/** How models are written. */

import type { Flag } from '../spec/flag.ts'
import { bytes, decimalBytes, wholeNumber } from '../spec/parsers.ts'

export const overwrite = { flags: '--overwrite', help: 'replace an existing output folder' } as const satisfies Flag

export const randomSeed = {
  flags: '--random-seed <n>',
  help: 'seed of everything random',
  fallback: 0,
  parse: wholeNumber('--random-seed'),
} as const satisfies Flag

export const outShardSize = {
  flags: '--out-shard-size <size>',
  help: 'maximum size of a written file, in decimal units (default: 5B)',
  parse: decimalBytes('--out-shard-size'),
} as const satisfies Flag

export const memory = {
  flags: '--memory <size>',
  help: 'memory limit (default: 1G)',
  parse: bytes('--memory'),
} as const satisfies Flag
