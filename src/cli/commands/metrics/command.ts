/** What `strata metrics` takes. */
import { texts, column, task, dataSet, rows } from '../../flags/corpus.ts'
import { everywhere } from '../../flags/everywhere.ts'
import { machine } from '../../flags/machine.ts'
import { furtherRepresentations } from '../../flags/models.ts'
import { reading } from '../../flags/reading.ts'
import { seed } from '../../flags/sampling.ts'
import type { CommandSpec, FlagsOf } from '../../spec/command.ts'
import type { Flag } from '../../spec/flag.ts'
import { atLeastTwo } from '../../spec/parsers.ts'

const metrics = {
  flags: '--metrics <names>',
  help: 'metrics of a representation, comma-separated, or all',
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

export const command = {
  name: 'metrics',
  group: 'look',
  summary: 'measure each layer without labels: spectra, entropies, neighbours, curvature',
  args: [['<models...>', 'org/name, org/name@revision, or folders']],
  flags: [
    texts,
    column,
    task,
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
    ...everywhere,
  ],
  examples: [
    'strata metrics sentence-transformers/all-MiniLM-L6-v2 --texts texts.txt --json',
    'strata metrics ./model --task STSBenchmark:test --metrics effective_rank,curvature',
  ],
} as const satisfies CommandSpec

export type Flags = FlagsOf<typeof command>
