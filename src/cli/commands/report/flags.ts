/** Flags of `strata report` alone. */
import type { ReportFormat } from '#result/report'
import { type Flag, wordsOf } from '../../spec/flag.ts'
import { list } from '../../spec/parsers.ts'

export const format = {
  flags: '--format <name>',
  help: 'default: by the ending of --out, else md',
  choices: wordsOf<ReportFormat>()(['html', 'md', 'csv', 'latex', 'json']),
} as const satisfies Flag

export const baseline = {
  flags: '--baseline <representation>',
  help: 'what every row is compared with: a representation of its own model, or model[@revision]#representation (default: default, else the best mean)',
} as const satisfies Flag

export const parents = {
  flags: '--parents <rows>',
  help: 'what merging did: models that the other rows of their representation are merges of, as model[@revision]#representation, comma-separated',
  parse: list,
} as const satisfies Flag

export const models = {
  flags: '--models <names>',
  help: 'only results of these models; for import: the model they belong to',
  parse: list,
} as const satisfies Flag

export const context = {
  flags: '--context <metrics>',
  help: 'what is known of the arms: rows of JSON, what strata metrics wrote, or names of metrics to compute (default: sentence_entropy,dataset_entropy,lidar,dime)',
} as const satisfies Flag

export const contextCorpus = {
  flags: '--context-corpus <name>',
  help: 'corpus of those metrics, where the file has several',
} as const satisfies Flag

export const averageSubsets = {
  flags: '--average-subsets',
  help: 'mean of the subsets where none is English or the only one',
} as const satisfies Flag
