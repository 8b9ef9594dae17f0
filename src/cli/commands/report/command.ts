/** What `strata report` takes. */
import { everywhere } from '../../flags/everywhere.ts'
import { onlyRepresentations } from '../../flags/models.ts'
import { out } from '../../flags/report.ts'
import type { CommandSpec, FlagsOf } from '../../spec/command.ts'
import { format, baseline, parents, models, context, contextCorpus, averageSubsets, tasks } from './flags.ts'

export const command = {
  name: 'report',
  group: 'compare',
  summary: 'make one report of folders of results: a page, Markdown, CSV, LaTeX or JSON',
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
    onlyRepresentations,
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
