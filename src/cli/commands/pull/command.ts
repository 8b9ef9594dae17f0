/** What `strata pull` takes. */
import { dryRun, everywhere } from '../../flags/everywhere.ts'
import { repoType, revision, include, exclude, token } from '../../flags/hub.ts'
import type { CommandSpec, FlagsOf } from '../../spec/command.ts'
import type { Flag } from '../../spec/flag.ts'
import { positive } from '../../spec/parsers.ts'

const localDir = {
  flags: '--local-dir <folder>',
  help: 'folder for the files, instead of the Hugging Face cache',
} as const satisfies Flag

const cacheDir = {
  flags: '--cache-dir <folder>',
  help: 'Hugging Face cache (default: $HF_HUB_CACHE, otherwise $HF_HOME/hub)',
} as const satisfies Flag

const forceDownload = { flags: '--force-download', help: 'download again what is already here' } as const satisfies Flag

const maxWorkers = {
  flags: '--max-workers <n>',
  help: 'maximum number of parallel transfers (default: 8)',
  parse: positive('--max-workers'),
} as const satisfies Flag

export const command = {
  name: 'pull',
  group: 'move',
  summary: 'download a repository, or files of it, to the Hugging Face cache or a folder, and print the path',
  args: [
    ['<repo>', 'org/name, or org/name@revision'],
    ['[files...]', 'paths in the repository; folder/ means every file below it (default: everything)'],
  ],
  flags: [
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
  ],
  examples: [
    'strata pull EleutherAI/pythia-410m',
    'strata pull EleutherAI/pythia-410m config.json tokenizer.json',
    'strata pull EleutherAI/pythia-410m --include "*.safetensors" --include "*.json" --local-dir ./pythia',
  ],
} as const satisfies CommandSpec

export type Flags = FlagsOf<typeof command>
