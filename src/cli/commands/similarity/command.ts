/** What `strata similarity` takes. */
import { texts, column, task, dataSet, rows } from '../../flags/corpus.ts'
import { everywhere } from '../../flags/everywhere.ts'
import { machine } from '../../flags/machine.ts'
import { furtherRepresentations } from '../../flags/models.ts'
import { background } from '../../flags/pictures.ts'
import { reading } from '../../flags/reading.ts'
import { sampleSize, trials, seed, transform } from '../../flags/sampling.ts'
import type { CommandSpec, FlagsOf } from '../../spec/command.ts'
import type { Flag } from '../../spec/flag.ts'

const metrics = {
  flags: '--metrics <names>',
  help: 'similarity measures, comma-separated, or all',
  fallback: 'cka',
} as const satisfies Flag

export const out = {
  flags: '--out <folder>',
  help: 'folder for the matrices and their pictures',
} as const satisfies Flag

export const command = {
  name: 'similarity',
  group: 'look',
  summary: 'compare the layers of one or two models (CKA, RSA, …)',
  args: [['<models...>', 'one model or two: org/name, org/name@revision, or folders']],
  flags: [
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
    out,
    background,
    ...reading,
    ...machine,
    ...everywhere,
  ],
  examples: [
    'strata similarity sentence-transformers/all-MiniLM-L6-v2 --texts texts.txt --metrics cka,rsa --out outputs',
    'strata similarity ./one ./two --task STSBenchmark:train --rows 5000 --metrics all --json',
    'strata similarity ./model --data-set allenai/c4:en:train:text --rows 20000 --out outputs',
  ],
} as const satisfies CommandSpec

export type Flags = FlagsOf<typeof command>
