/** What `strata transplant` takes. */
import { dryRun, everywhere } from '../../flags/everywhere.ts'
import { threads } from '../../flags/machine.ts'
import { randomSeed, outShardSize, memory, overwrite } from '../../flags/writing.ts'
import type { CommandSpec, FlagsOf } from '../../spec/command.ts'
import {
  approximationMethod,
  k,
  weightScheme,
  cosineSimilarity,
  noCosineSimilarity,
  subwordMethod,
  batchSize,
  prefixMatch,
  byteMatch,
  magikarp,
  noMagikarp,
  newVocabNoise,
  newVocabScale,
} from './flags.ts'

export const command = {
  name: 'transplant',
  aliases: ['tokensurgeon'],
  group: 'make',
  summary: 'give a model another model’s tokenizer: shared tokens keep their rows, the others are approximated',
  args: [
    ['<model>', 'org/name or a folder'],
    ['<donor>', 'model whose tokenizer it gets'],
    ['[out]', 'folder to write'],
  ],
  flags: [
    approximationMethod,
    k,
    weightScheme,
    cosineSimilarity,
    noCosineSimilarity,
    subwordMethod,
    batchSize,
    prefixMatch,
    byteMatch,
    magikarp,
    noMagikarp,
    newVocabNoise,
    newVocabScale,
    randomSeed,
    outShardSize,
    memory,
    threads,
    overwrite,
    dryRun,
    ...everywhere,
  ],
  examples: [
    'strata transplant org/model org/donor ./transplanted',
    'strata transplant ./model ./donor --approximation-method subword --dry-run',
  ],
} as const satisfies CommandSpec

export type Flags = FlagsOf<typeof command>
