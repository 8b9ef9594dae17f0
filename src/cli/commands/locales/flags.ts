/** Flags of `strata locales`. */
import type { ComparisonFormat } from '#experiment/locales'
import { everywhere } from '../../flags/everywhere.ts'
import { type Flag, wordsOf } from '../../spec/flag.ts'
import type { FlagValues } from '../../spec/flag-values.ts'

const showMissing = {
  flags: '--show-missing',
  help: 'list the locales that a type has no result for',
} as const satisfies Flag

const format = {
  flags: '--format <name>',
  help: 'files to write: csv (results and comparison), json (statistics), markdown (report), or all',
  choices: wordsOf<ComparisonFormat>()(['csv', 'json', 'markdown', 'all']),
  fallback: 'all',
} as const satisfies Flag

const outputPrefix = {
  flags: '--output-prefix <path>',
  help: 'beginning of the paths of the files',
  fallback: 'results',
} as const satisfies Flag

export const flags = [showMissing, format, outputPrefix, ...everywhere] as const satisfies readonly Flag[]

export type Flags = FlagValues<(typeof flags)[number]>
