/** Flags of `strata push`. */
import { dryRun, everywhere } from '../../flags/everywhere.ts'
import { repoType, include, exclude, token } from '../../flags/hub.ts'
import type { Flag } from '../../spec/flag.ts'
import type { FlagValues } from '../../spec/flag-values.ts'

export const isPrivate = {
  flags: '--private',
  help: 'make the repository private if it is created',
} as const satisfies Flag

export const commitMessage = {
  flags: '--commit-message <text>',
  help: 'first line of the commit message',
} as const satisfies Flag

export const commitDescription = {
  flags: '--commit-description <text>',
  help: 'rest of the commit message',
} as const satisfies Flag

export const createPr = {
  flags: '--create-pr',
  help: 'open a pull request instead of committing',
} as const satisfies Flag

export const remove = {
  flags: '--delete <pattern>',
  help: 'files of the repository to delete in the same commit: those that match; repeatable',
  repeated: true,
} as const satisfies Flag

export const revision = {
  flags: '--revision <name>',
  help: 'branch to commit to, created if needed (default: main)',
} as const satisfies Flag

export const flags = [
  repoType,
  revision,
  isPrivate,
  commitMessage,
  commitDescription,
  createPr,
  include,
  exclude,
  remove,
  token,
  dryRun,
  ...everywhere,
] as const satisfies readonly Flag[]

export type Flags = FlagValues<(typeof flags)[number]>
