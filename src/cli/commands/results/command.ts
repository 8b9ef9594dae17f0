/** What `strata results` takes. */
import type { ListFilters } from '#result/ledger'
import { everywhere } from '../../flags/everywhere.ts'
import { representation } from '../../flags/models.ts'
import { results, against, overwriteStrategy } from '../../flags/results.ts'
import { tasks, benchmark, types, languages, domains } from '../../flags/tasks.ts'
import type { CommandSpec, FlagsOf } from '../../spec/command.ts'
import { type Flag, wordsOf } from '../../spec/flag.ts'
import { list } from '../../spec/parsers.ts'
import type { QueryFormat } from './query-format.ts'

const models = {
  flags: '--models <names>',
  help: 'only results of these models; for import: the model they belong to',
  parse: list,
} as const satisfies Flag

const status = {
  flags: '--status <state>',
  help: 'only finished results, or only failures',
  choices: wordsOf<NonNullable<ListFilters['status']>>()(['ok', 'failed']),
} as const satisfies Flag

const format = {
  flags: '--format <name>',
  help: 'query: how its rows are printed or written (default: by the ending of --out, else table)',
  choices: wordsOf<QueryFormat>()(['table', 'csv', 'json', 'parquet']),
} as const satisfies Flag

const out = {
  flags: '--out <file>',
  help: 'query: file to write its rows to: .csv, .jsonl or .parquet',
} as const satisfies Flag

export const command = {
  name: 'results',
  group: 'compare',
  summary:
    'list, show, average, compare and query finished results; import those of mteb, mteb-layersweep, lm-evaluation-harness, Holmes and "Layer by Layer"',
  args: [
    ['[action]', 'list (default), show, query, import'],
    [
      '[names...]',
      'task names and globs; for query: SQL; for import: folders of results, tables of Holmes, rows of "Layer by Layer"',
    ],
  ],
  flags: [
    results,
    tasks,
    benchmark,
    types,
    languages,
    domains,
    models,
    representation,
    status,
    against,
    overwriteStrategy,
    format,
    out,
    ...everywhere,
  ],
  examples: [
    'strata results --benchmark "MTEB(eng, v2)" --against published',
    'strata results show STS17',
    'strata results query "PIVOT results ON task USING first(score) GROUP BY representation"',
    'strata results import ~/.cache/mteb/results',
  ],
} as const satisfies CommandSpec

export type Flags = FlagsOf<typeof command>
