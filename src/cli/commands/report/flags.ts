/** Flags of `strata report`. */
import { everywhere } from '../../flags/everywhere.ts'
import { onlyRepresentations } from '../../flags/models.ts'
import { out } from '../../flags/report.ts'
import type { ReportFormat } from '#result/report'
import { type Flag, wordsOf } from '../../spec/flag.ts'
import { list } from '../../spec/parsers.ts'
import type { FlagValues } from '../../spec/flag-values.ts'

export const format = {
  flags: '--format <name>',
  help: 'format (default: by the ending of --out, otherwise md)',
  choices: wordsOf<ReportFormat>()(['html', 'md', 'csv', 'latex', 'json']),
} as const satisfies Flag

export const baseline = {
  flags: '--baseline <representation>',
  help: 'row that the others are compared with: a representation of their own model, or model[@revision]#representation (default: default, otherwise the best mean)',
} as const satisfies Flag

export const parents = {
  flags: '--parents <rows>',
  help: 'rows that the other rows of their representation are merges of, to show what merging did: model[@revision]#representation, comma-separated',
  parse: list,
} as const satisfies Flag

export const models = {
  flags: '--models <names>',
  help: 'only results of these models; for recorded scores of several models, the ones to show',
  parse: list,
} as const satisfies Flag

export const context = {
  flags: '--context <metrics>',
  help: 'metrics to show as columns next to the scores: rows of JSON, or the output of strata metrics or strata merge --steps --json',
} as const satisfies Flag

export const contextCorpus = {
  flags: '--context-corpus <name>',
  help: 'corpus of those metrics, if the file has several',
} as const satisfies Flag

export const averageSubsets = {
  flags: '--average-subsets',
  help: 'recorded scores: mean of the subsets where none is English or the only one',
} as const satisfies Flag

export const tasks = {
  flags: '--tasks <names>',
  help: 'only these tasks, by name or glob, comma-separated',
  parse: list,
} as const satisfies Flag

export const flags = [
  out,
  format,
  baseline,
  parents,
  tasks,
  models,
  onlyRepresentations,
  context,
  contextCorpus,
  averageSubsets,
  ...everywhere,
] as const satisfies readonly Flag[]

export type Flags = FlagValues<(typeof flags)[number]>
