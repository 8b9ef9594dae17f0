/** What `strata truncate` takes. */
import { everywhere } from '../../flags/everywhere.ts'
import { form, storedType, normalize } from '../../flags/export.ts'
import { hardware } from '../../flags/machine.ts'
import { reading } from '../../flags/reading.ts'
import { selecting } from '../../flags/selecting.ts'
import { overwrite } from '../../flags/writing.ts'
import type { CommandSpec, FlagsOf } from '../../spec/command.ts'
import type { Flag } from '../../spec/flag.ts'
import { atLeastZero } from '../../spec/parsers.ts'

const maxLoss = {
  flags: '--max-loss <score>',
  help: 'mean validation score that may be lost (0.01 is one point)',
  fallback: 0.01,
  parse: atLeastZero('--max-loss'),
} as const satisfies Flag

export const out = { flags: '--out <folder>', help: 'folder to write the truncated model to' } as const satisfies Flag

export const command = {
  name: 'truncate',
  group: 'make',
  summary: 'find the fewest layers within a given loss of score, and write the model cut to them',
  args: [['<model>', 'org/name, org/name@revision, a folder, or merge:recipe.yml']],
  flags: [...selecting, maxLoss, form, out, storedType, normalize, overwrite, ...reading, ...hardware, ...everywhere],
  examples: [
    'strata truncate sentence-transformers/all-MiniLM-L6-v2 --tasks STSBenchmark,Banking77Classification --max-loss 0.01',
    'strata truncate ./model --tasks "STS*" --max-loss 0.02 --out ./smaller --as onnx',
  ],
} as const satisfies CommandSpec

export type Flags = FlagsOf<typeof command>
