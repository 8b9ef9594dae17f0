/** Flags of `strata board`. */
import { dryRun, everywhere } from '../../flags/everywhere.ts'
import { apiKeyEnv, host, noKey } from '../../flags/listening.ts'
import type { Flag } from '../../spec/flag.ts'
import type { FlagValues } from '../../spec/flag-values.ts'
import { portNumber } from '../../spec/parsers.ts'

export const port = {
  flags: '--port <n>',
  help: 'port to listen on; 0 takes any that is free',
  parse: portNumber('--port'),
  fallback: 8081,
} as const satisfies Flag

export const flags = [port, host, apiKeyEnv, noKey, dryRun, ...everywhere] as const satisfies readonly Flag[]

export type Flags = FlagValues<(typeof flags)[number]>
