/** What `strata report` takes. */
import { everywhere } from '../../flags/everywhere.ts'
import { representation } from '../../flags/models.ts'
import { out } from '../../flags/report.ts'
import { tasks } from '../../flags/tasks.ts'
import type { CommandSpec, FlagsOf } from '../../spec/command.ts'
import { format, baseline, parents, models, context, contextCorpus, averageSubsets } from './flags.ts'

export const command = {
  name: 'report',
  group: 'compare',
  summary: 'make one page of folders of results: tables, significance, pictures; or Markdown, csv, LaTeX, JSON',
  args: [
    ['<sources...>', 'folders of results, experiments or searches; recorded scores; replays and similarities (.json)'],
  ],
  flags: [
    out,
    format,
    baseline,
    parents,
    tasks,
    models,
    representation,
    context,
    contextCorpus,
    averageSubsets,
    ...everywhere,
  ],
  examples: [
    'strata report results --out report.html',
    'strata report results older/results --tasks "STS*" --baseline h6 --format latex',
  ],
} as const satisfies CommandSpec

export type Flags = FlagsOf<typeof command>
