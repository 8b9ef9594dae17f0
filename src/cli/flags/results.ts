/** The folder of results, and the handling of existing results. */
import type { OverwriteStrategy } from '#result/ledger'
import { type Flag, wordsOf } from '../spec/flag.ts'

export const results = {
  flags: '--results <folder>',
  formerly: { '--output-folder': [] },
  help: 'folder of results',
  fallback: 'results',
} as const satisfies Flag

export const overwriteStrategy = {
  flags: '--overwrite-strategy <name>',
  help: 'what happens to finished results',
  choices: wordsOf<OverwriteStrategy>()(['only-missing', 'always', 'never', 'only-cache']),
  fallback: 'only-missing',
} as const satisfies Flag

export const against = {
  flags: '--against <what>',
  help: 'what to compare with: published, published:org/name, a folder of results, or org/name[@revision][#representation] in the folder of results',
} as const satisfies Flag
