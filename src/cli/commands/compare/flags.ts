/** Flags of `strata compare`. */
import type { ComparisonFormat } from '#experiment/compare'
import { everywhere } from '../../flags/everywhere.ts'
import { cacheDir, machine } from '../../flags/machine.ts'
import { representation, merge } from '../../flags/models.ts'
import { pricePerHour } from '../../flags/price.ts'
import { reading } from '../../flags/reading.ts'
import { out } from '../../flags/report.ts'
import { against, overwriteStrategy } from '../../flags/results.ts'
import { choosing } from '../../flags/selecting.ts'
import { kmeans } from '../../flags/tasks.ts'
import { type Flag, wordsOf } from '../../spec/flag.ts'
import { wholeNumber } from '../../spec/parsers.ts'
import type { FlagValues } from '../../spec/flag-values.ts'

const results = {
  flags: '--results <folder>',
  formerly: { '--output-folder': ['--score'] },
  help: 'folder of results to compare; nothing is run unless --score is given',
} as const satisfies Flag

const score = {
  flags: '--score',
  help: 'score missing results into --results first (without --results: into the folder results)',
} as const satisfies Flag

export const speed = {
  flags: '--speed',
  help: 'measure speed, latency and memory of each row on this machine, in turn, as strata bench does',
} as const satisfies Flag

const changed = {
  flags: '--changed <n>',
  help: 'number of items that changed most, per task and on either side',
  fallback: 3,
  parse: wholeNumber('--changed'),
} as const satisfies Flag

const format = {
  flags: '--format <name>',
  help: 'format (default: by the ending of --out, otherwise table)',
  choices: wordsOf<ComparisonFormat | 'table'>()(['table', 'md', 'csv', 'latex', 'json', 'html']),
} as const satisfies Flag

/** Flags that have an effect when nothing is run. */
export const reviewing = [
  ...choosing.filter((flag) => flag !== kmeans),
  results,
  representation,
  against,
  changed,
  out,
  format,
  cacheDir,
  ...everywhere,
] as const satisfies readonly Flag[]

export const flags = [
  ...choosing,
  results,
  score,
  overwriteStrategy,
  representation,
  merge,
  speed,
  pricePerHour,
  against,
  changed,
  out,
  format,
  ...reading,
  ...machine,
  ...everywhere,
] as const satisfies readonly Flag[]

export type Flags = FlagValues<(typeof flags)[number]>
