/** What `strata layers` takes. */
import { dryRun, everywhere } from '../../flags/everywhere.ts'
import { machine } from '../../flags/machine.ts'
import { merge, layers, furtherRepresentations } from '../../flags/models.ts'
import { plot, background } from '../../flags/pictures.ts'
import { reading } from '../../flags/reading.ts'
import { asking } from '../../flags/selecting.ts'
import type { CommandSpec, FlagsOf } from '../../spec/command.ts'

export const command = {
  name: 'layers',
  group: 'measure',
  summary: 'score every layer of a model on tasks, from one forward pass per text',
  args: [['[models...]', 'org/name, org/name@revision, a folder, or merge:recipe.yml']],
  flags: [
    ...asking,
    merge,
    layers,
    furtherRepresentations,
    plot,
    background,
    ...reading,
    ...machine,
    dryRun,
    ...everywhere,
  ],
  examples: [
    'strata layers sentence-transformers/all-MiniLM-L6-v2 --tasks STS17,Banking77Classification --languages eng',
    'strata layers ./one ./two --merge ties.yml --tasks STSBenchmark',
    'strata layers ./model --tasks "STS*" --plot layers.svg',
  ],
} as const satisfies CommandSpec

export type Flags = FlagsOf<typeof command>
