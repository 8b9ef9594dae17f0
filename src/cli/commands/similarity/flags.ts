/** Flags of `strata similarity`. */
import { texts, column, task, dataSet, rows } from '../../flags/corpus.ts'
import { everywhere } from '../../flags/everywhere.ts'
import { machine } from '../../flags/machine.ts'
import { furtherRepresentations } from '../../flags/models.ts'
import { background } from '../../flags/pictures.ts'
import { plugin } from '../../flags/plugin.ts'
import { furtherReading } from '../../flags/reading.ts'
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

export const grid = {
  flags: '--grid',
  help: 'every model by itself with every pooling, instead of two models against each other',
} as const satisfies Flag

const pooling = {
  flags: '--pooling <names>',
  help: 'how token states become one vector, comma-separated: mean, cls, lasttoken, max, weightedmean, pooler; several make a grid',
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
  grid,
  out,
  background,
  pooling,
  ...furtherReading,
  ...machine,
  plugin,
  ...everywhere,
] as const satisfies readonly Flag[]

export type Flags = FlagValues<(typeof flags)[number]>
