/** What `strata push` takes. */
import { dryRun, everywhere } from '../../flags/everywhere.ts'
import { repoType, include, exclude, token } from '../../flags/hub.ts'
import type { CommandSpec, FlagsOf } from '../../spec/command.ts'
import { isPrivate, commitMessage, commitDescription, createPr, remove, revision } from './flags.ts'

export const command = {
  name: 'push',
  group: 'move',
  summary: 'upload a folder to a repository on the hub, resumable',
  args: [
    ['<repo>', 'org/name, or org/name@branch'],
    ['[folder]', 'folder or file (default: the one named like the repository)'],
    ['[path]', 'path in the repository'],
  ],
  flags: [
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
  ],
  examples: [
    'strata push me/merged ./merged --private',
    'strata push me/scores ./results --repo-type dataset',
    'strata push me/merged ./merged --exclude "*.bin" --delete "*.bin" --create-pr',
  ],
} as const satisfies CommandSpec

export type Flags = FlagsOf<typeof command>
