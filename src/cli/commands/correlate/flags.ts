/** Flags of `strata correlate`. */
import { everywhere } from '../../flags/everywhere.ts'
import type { AssociationMethod } from '#result/statistics'
import { type Flag, wordsOf } from '../../spec/flag.ts'
import { aboveZero, atLeastTwo, wholeNumber } from '../../spec/parsers.ts'
import type { FlagValues } from '../../spec/flag-values.ts'

export const x = {
  flags: '--x <source>',
  help: 'one side: harness:FOLDER of lm-evaluation-harness, holmes:FILE (a leaderboard or an evaluation of Holmes), or results:FOLDER#REPRESENTATION, such as logits or h6',
} as const satisfies Flag

export const y = {
  flags: '--y <source>',
  help: 'the other side; without it, mean winning rates on the one side',
} as const satisfies Flag

export const method = {
  flags: '--method <name>',
  help: 'Kendall’s τ-b or Spearman’s ρ',
  choices: wordsOf<AssociationMethod>()(['kendall', 'spearman']),
  fallback: 'kendall',
} as const satisfies Flag

export const minimum = {
  flags: '--minimum <n>',
  help: 'minimum number of models that two scores share',
  fallback: 4,
  parse: atLeastTwo('--minimum'),
} as const satisfies Flag

export const portion = {
  flags: '--portion <share>',
  help: 'training portion of Flash-Holmes (default: the largest)',
  parse: aboveZero('--portion'),
} as const satisfies Flag

export const seed = {
  flags: '--seed <n>',
  help: 'seed of the bootstrap',
  fallback: 42,
  parse: wholeNumber('--seed'),
} as const satisfies Flag

export const tables = {
  flags: '--tables <folder>',
  help: 'folder for six tables: ranks of the models on either side, by mean and one by one, and both correlations',
} as const satisfies Flag

export const flags = [x, y, method, minimum, portion, seed, tables, ...everywhere] as const satisfies readonly Flag[]

export type Flags = FlagValues<(typeof flags)[number]>
