/** What `strata verify` takes. */
import { everywhere } from '../../flags/everywhere.ts'
import { results, against } from '../../flags/results.ts'
import { tasks, benchmark, types } from '../../flags/tasks.ts'
import type { CommandSpec, FlagsOf } from '../../spec/command.ts'

export const command = {
  name: 'verify',
  group: 'measure',
  summary: 'check finished results against published scores',
  args: [['[models...]', 'models (default: every model with results)']],
  flags: [results, tasks, benchmark, types, against, ...everywhere],
  examples: ['strata verify sentence-transformers/all-MiniLM-L6-v2'],
} as const satisfies CommandSpec

export type Flags = FlagsOf<typeof command>
