/** Flags of `strata metrics`. */
import { texts, column, task, dataSet, rows } from '../../flags/corpus.ts'
import { everywhere } from '../../flags/everywhere.ts'
import { machine } from '../../flags/machine.ts'
import { furtherRepresentations } from '../../flags/models.ts'
import { plugin } from '../../flags/plugin.ts'
import { reading } from '../../flags/reading.ts'
import { seed } from '../../flags/sampling.ts'
import type { Flag } from '../../spec/flag.ts'
import { atLeastTwo } from '../../spec/parsers.ts'
import type { FlagValues } from '../../spec/flag-values.ts'

const severalTasks = {
  ...task,
  help: 'tasks whose texts to use instead, comma-separated, one document each: NAME or NAME:split',
} as const satisfies Flag

const metrics = {
  flags: '--metrics <names>',
  help: 'metrics of a representation, comma-separated, core or all',
  fallback: 'all',
} as const satisfies Flag

const pairs = {
  flags: '--pairs <file>',
  help: 'file with two views of each text, for metrics that compare views: columns sentence1 and sentence2',
} as const satisfies Flag

const augmentations = {
  flags: '--augmentations <n>',
  help: 'number of seeded variants of each of the first 1,000 texts, as the views to compare',
  parse: atLeastTwo('--augmentations'),
} as const satisfies Flag

const out = { flags: '--out <file>', help: 'file to write the document to' } as const satisfies Flag

export const flags = [
  texts,
  column,
  severalTasks,
  dataSet,
  rows,
  metrics,
  pairs,
  augmentations,
  furtherRepresentations,
  seed,
  out,
  ...reading,
  ...machine,
  plugin,
  ...everywhere,
] as const satisfies readonly Flag[]

export type Flags = FlagValues<(typeof flags)[number]>
