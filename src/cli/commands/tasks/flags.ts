/** Flags of `strata tasks` alone. */

import type { Flag } from '../../spec/flag.ts'
import { positive } from '../../spec/parsers.ts'

export const harness = {
  flags: '--harness',
  help: 'tasks of lm-evaluation-harness; the name fetch downloads its task files',
} as const satisfies Flag

export const runnable = { flags: '--runnable', help: 'only tasks that can be run' } as const satisfies Flag

export const unsupported = {
  flags: '--unsupported',
  help: 'only tasks that cannot be run, with the reason',
} as const satisfies Flag

export const count = { flags: '--count', help: 'print only their number' } as const satisfies Flag

export const benchmarks = { flags: '--benchmarks', help: 'list benchmarks instead of tasks' } as const satisfies Flag

export const rows = {
  flags: '--rows',
  help: 'print the rows of the tasks as their evaluation reads them',
} as const satisfies Flag

export const texts = {
  flags: '--texts',
  help: 'print every text of the tasks once, to embed them elsewhere',
} as const satisfies Flag

export const limit = {
  flags: '--limit <n>',
  help: '--rows: maximum number of rows per table',
  parse: positive('--limit'),
} as const satisfies Flag
