/** Flags of `strata similarity`. */
import { texts, column, task, dataSet, rows } from '../../flags/corpus.ts'
import { everywhere } from '../../flags/everywhere.ts'
import { machine } from '../../flags/machine.ts'
import { furtherRepresentations } from '../../flags/models.ts'
import { background } from '../../flags/pictures.ts'
import { reading } from '../../flags/reading.ts'
import { sampleSize, trials, seed, transform } from '../../flags/sampling.ts'
import type { Flag } from '../../spec/flag.ts'
import type { FlagValues } from '../../spec/flag-values.ts'

const metrics = {
  flags: '--metrics <names>',
  help: 'similarity measures, comma-separated, or all',
  fallback: 'cka',
} as const satisfies Flag

export const out = {
  flags: '--out <folder>',
  help: 'folder for the matrices and their pictures',
} as const satisfies Flag

export const flags = [
  texts,
  column,
  task,
  dataSet,
  rows,
  metrics,
  sampleSize,
  trials,
  seed,
  transform,
  furtherRepresentations,
  out,
  background,
  ...reading,
  ...machine,
  ...everywhere,
] as const satisfies readonly Flag[]

export type Flags = FlagValues<(typeof flags)[number]>
