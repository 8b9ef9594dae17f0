/** What `strata evaluate` takes. */
import { dryRun, everywhere } from '../../flags/everywhere.ts'
import { machine } from '../../flags/machine.ts'
import { merge, representation } from '../../flags/models.ts'
import { reading } from '../../flags/reading.ts'
import { asking } from '../../flags/selecting.ts'
import type { CommandSpec, FlagsOf } from '../../spec/command.ts'
import type { Flag } from '../../spec/flag.ts'

const vectors = {
  flags: '--vectors <file>',
  help: 'recorded vectors instead of a model: .npy, .npz or .safetensors, row i for text i of --texts',
} as const satisfies Flag

const texts = {
  flags: '--texts <file>',
  help: 'the texts of --vectors, as printed by strata tasks NAME --texts',
} as const satisfies Flag

export const command = {
  name: 'evaluate',
  group: 'measure',
  summary: 'score models on tasks',
  args: [['[models...]', 'org/name, org/name@revision, folders, or merge:recipe.yml; none with --vectors or --merge']],
  flags: [...asking, merge, representation, vectors, texts, ...reading, ...machine, dryRun, ...everywhere],
  examples: [
    'strata evaluate minishlab/potion-base-4M --tasks "STS*"',
    'strata evaluate sentence-transformers/all-MiniLM-L6-v2 --benchmark "MTEB(eng, v2)" --dry-run',
    'strata evaluate ./one ./two --merge ties.yml --merge slerp.yml --tasks STSBenchmark',
    'strata evaluate ./model --task-file mine.yaml',
    'strata evaluate --vectors vectors.npy --texts texts.jsonl --tasks SciFact',
  ],
} as const satisfies CommandSpec

export type Flags = FlagsOf<typeof command>
