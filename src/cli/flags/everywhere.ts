/** Flags of every command, and the flag of every command with a plan. */

import type { Flag } from '../spec/flag.ts'

export const json = {
  flags: '--json',
  help: 'machine-readable output: one JSON document per line',
} as const satisfies Flag

export const quiet = { flags: '--quiet', help: 'no progress and no notices' } as const satisfies Flag

export const debug = { flags: '--debug', help: 'stack trace of an error' } as const satisfies Flag

export const dryRun = {
  flags: '--dry-run',
  help: 'print the plan and its cost, and do nothing',
} as const satisfies Flag

export const everywhere = [json, quiet, debug] as const satisfies readonly Flag[]
