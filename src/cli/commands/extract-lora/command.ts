/** What `strata extract-lora` takes. */
import { dryRun, everywhere } from '../../flags/everywhere.ts'
import { overwrite } from '../../flags/writing.ts'
import type { CommandSpec, FlagsOf } from '../../spec/command.ts'
import {
  model,
  baseModel,
  outPath,
  maxRank,
  distributeScale,
  noDistributeScale,
  embedLora,
  noEmbedLora,
  saveModule,
  includeRegex,
  excludeRegex,
  svEpsilon,
  skipUndecomposable,
} from './flags.ts'

export const command = {
  name: 'extract-lora',
  group: 'make',
  summary: 'extract what fine-tuning changed as a LoRA adapter for PEFT',
  args: [],
  flags: [
    model,
    baseModel,
    outPath,
    maxRank,
    distributeScale,
    noDistributeScale,
    embedLora,
    noEmbedLora,
    saveModule,
    includeRegex,
    excludeRegex,
    svEpsilon,
    skipUndecomposable,
    overwrite,
    dryRun,
    ...everywhere,
  ],
  examples: [
    'strata extract-lora --model ./tuned --base-model org/base --out-path ./adapter --max-rank 32',
    "strata extract-lora --model ./tuned --base-model org/base -e 'embed_tokens|lm_head' --dry-run",
  ],
} as const satisfies CommandSpec

export type Flags = FlagsOf<typeof command>
