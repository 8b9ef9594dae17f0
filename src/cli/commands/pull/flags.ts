/** Flags of `strata pull`. */
import { dryRun, everywhere } from '../../flags/everywhere.ts'
import { repoType, revision, include, exclude, token } from '../../flags/hub.ts'
import type { Flag } from '../../spec/flag.ts'
import { positive } from '../../spec/parsers.ts'
import type { FlagValues } from '../../spec/flag-values.ts'

const localDir = {
  flags: '--local-dir <folder>',
  help: 'folder for the files, instead of the Hugging Face cache',
} as const satisfies Flag

const cacheDir = {
  flags: '--cache-dir <folder>',
  help: 'Hugging Face cache (default: $HF_HUB_CACHE, otherwise $HF_HOME/hub)',
} as const satisfies Flag

const forceDownload = {
  flags: '--force-download',
  help: 'download files again that are already here',
} as const satisfies Flag

const maxWorkers = {
  flags: '--max-workers <n>',
  help: 'maximum number of parallel transfers (default: 8)',
  parse: positive('--max-workers'),
} as const satisfies Flag

export const flags = [
  repoType,
  revision,
  include,
  exclude,
  localDir,
  cacheDir,
  forceDownload,
  maxWorkers,
  token,
  dryRun,
  ...everywhere,
] as const satisfies readonly Flag[]

export type Flags = FlagValues<(typeof flags)[number]>
