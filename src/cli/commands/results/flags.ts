/** Flags of `strata results`. */
import type { ListFilters } from '#result/ledger'
import type { ResultFormatName } from '#result/exports'
import { everywhere } from '../../flags/everywhere.ts'
import { onlyRepresentations } from '../../flags/models.ts'
import { results, against, overwriteStrategy } from '../../flags/results.ts'
import { tasks, benchmark, types, languages, domains } from '../../flags/tasks.ts'
import { type Flag, wordsOf } from '../../spec/flag.ts'
import { aboveZero, list } from '../../spec/parsers.ts'
import type { QueryFormat } from './query-format.ts'
import type { FlagValues } from '../../spec/flag-values.ts'

const models = {
  flags: '--models <names>',
  help: 'only results of these models; import: model that the results belong to',
  parse: list,
} as const satisfies Flag

const revision = {
  flags: '--revision <names>',
  help: 'only results of these revisions of a model, comma-separated',
  parse: list,
} as const satisfies Flag

const status = {
  flags: '--status <state>',
  help: 'only finished results, or only failures',
  choices: wordsOf<NonNullable<ListFilters['status']>>()(['ok', 'failed']),
} as const satisfies Flag

const format = {
  flags: '--format <name>',
  help: 'query: format of the rows (default: by the ending of --out, otherwise table)',
  choices: wordsOf<QueryFormat>()(['table', 'csv', 'json', 'parquet']),
} as const satisfies Flag

const out = {
  flags: '--out <path>',
  help: 'query: file to write the rows to: .csv, .jsonl or .parquet; export: folder to write to',
} as const satisfies Flag

const as = {
  flags: '--as <form>',
  help: 'export: form of another program: eval-results and model-index (Hugging Face hub), mteb-repo, mlflow, tensorboard',
  choices: wordsOf<ResultFormatName>()(['eval-results', 'model-index', 'mteb-repo', 'mlflow', 'tensorboard']),
} as const satisfies Flag

const timeout = {
  flags: '--timeout <seconds>',
  help: 'query: longest time that it may take (default: 300)',
  parse: aboveZero('--timeout'),
} as const satisfies Flag

/** Which results. */
const choosing = [
  results,
  tasks,
  benchmark,
  types,
  languages,
  domains,
  models,
  revision,
  onlyRepresentations,
  status,
] as const satisfies readonly Flag[]
const listing = [...choosing, ...everywhere] as const satisfies readonly Flag[]

/** By action. */
export const actingFlags: ReadonlyMap<string, readonly Flag[]> = new Map<string, readonly Flag[]>([
  ['list', [...listing, against]],
  ['show', listing],
  ['export', [...listing, as, out].filter((flag) => flag !== status)],
  ['query', [results, format, out, timeout, ...everywhere]],
  ['import', [results, models, overwriteStrategy, ...everywhere]],
])

export const flags = [
  ...choosing,
  against,
  overwriteStrategy,
  format,
  as,
  out,
  timeout,
  ...everywhere,
] as const satisfies readonly Flag[]

export type Flags = FlagValues<(typeof flags)[number]>
