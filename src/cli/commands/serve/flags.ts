/** Flags of `strata serve`. */
import { dryRun, everywhere } from '../../flags/everywhere.ts'
import { apiKeyEnv, host, noKey } from '../../flags/listening.ts'
import { batchTokens, cacheDir, cacheLimit, device, dtype, engine, threads } from '../../flags/machine.ts'
import { merge, representation } from '../../flags/models.ts'
import { plugin } from '../../flags/plugin.ts'
import { normalize, reading } from '../../flags/reading.ts'
import type { Flag } from '../../spec/flag.ts'
import { bytes, list, portNumber, positive } from '../../spec/parsers.ts'
import type { FlagValues } from '../../spec/flag-values.ts'

export const port = {
  flags: '--port <n>',
  help: 'port to listen on; 0 takes any that is free',
  parse: portNumber('--port'),
  fallback: 8080,
} as const satisfies Flag

export const cors = {
  flags: '--cors <origins>',
  help: 'origins whose pages may ask, comma-separated; * is all',
  joined: true,
  parse: list,
} as const satisfies Flag

export const maxBatchTokens = {
  flags: '--max-batch-tokens <n>',
  help: 'maximum number of tokens per pass, from all requests together',
  parse: positive('--max-batch-tokens'),
  fallback: 4096,
} as const satisfies Flag

export const maxQueue = {
  flags: '--max-queue <n>',
  help: 'maximum number of requests under way; further ones are asked to come again',
  parse: positive('--max-queue'),
  fallback: 512,
} as const satisfies Flag

export const maxBody = {
  flags: '--max-body <size>',
  help: 'maximum size of a request (default: 8M)',
  parse: bytes('--max-body'),
} as const satisfies Flag

export const cache = {
  flags: '--cache',
  help: 'keep vectors of texts in the cache, and take those from there that were asked before, here or by strata evaluate',
} as const satisfies Flag

export const flags = [
  representation,
  merge,
  port,
  host,
  apiKeyEnv,
  noKey,
  cors,
  maxBatchTokens,
  maxQueue,
  maxBody,
  cache,
  cacheDir,
  cacheLimit,
  normalize,
  ...reading,
  batchTokens,
  threads,
  device,
  engine,
  dtype,
  dryRun,
  plugin,
  ...everywhere,
] as const satisfies readonly Flag[]

export type Flags = FlagValues<(typeof flags)[number]>
