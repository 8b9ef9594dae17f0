/** Flags of every command, and that of every command with a plan. */

import type { Flag } from '../spec/flag.ts'

export const json = { flags: '--json', help: 'machine-readable output, one document per line' } as const satisfies Flag

export const quiet = { flags: '--quiet', help: 'no progress or notices' } as const satisfies Flag

export const debug = { flags: '--debug', help: 'show the stack trace of an error' } as const satisfies Flag

export const dryRun = { flags: '--dry-run', help: 'print the plan and its cost, do nothing' } as const satisfies Flag

export const everywhere = [json, quiet, debug] as const satisfies readonly Flag[]
