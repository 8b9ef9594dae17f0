/** What `strata correlate` takes. */
import { everywhere } from '../../flags/everywhere.ts'
import type { CommandSpec, FlagsOf } from '../../spec/command.ts'
import { x, y, method, minimum, portion, seed, tables } from './flags.ts'

export const command = {
  name: 'correlate',
  group: 'compare',
  summary: 'check whether two benchmarks rank models the same way',
  args: [],
  flags: [x, y, method, minimum, portion, seed, tables, ...everywhere],
  examples: ['strata correlate --x holmes:flash-holmes.csv --y harness:results --method kendall --minimum 4'],
} as const satisfies CommandSpec

export type Flags = FlagsOf<typeof command>
