/** Flags of `strata extract-lora`. */
import { dryRun, everywhere } from '../../flags/everywhere.ts'
import { overwrite } from '../../flags/writing.ts'
import type { Flag } from '../../spec/flag.ts'
import { atLeastZero, positive } from '../../spec/parsers.ts'
import type { FlagValues } from '../../spec/flag-values.ts'

export const model = { flags: '--model <model>', help: 'fine-tuned model' } as const satisfies Flag

export const baseModel = {
  flags: '--base-model <model>',
  help: 'model that it was fine-tuned from',
} as const satisfies Flag

export const outPath = { flags: '--out-path <folder>', help: 'folder to write' } as const satisfies Flag

export const maxRank = {
  flags: '--max-rank <n>',
  help: 'maximum rank per module',
  fallback: 128,
  parse: positive('--max-rank'),
} as const satisfies Flag

export const distributeScale = {
  flags: '--distribute-scale',
  help: 'square roots of the singular values on both factors (the default)',
} as const satisfies Flag

export const noDistributeScale = {
  flags: '--no-distribute-scale',
  help: 'all singular values on A, so that the columns of B are orthonormal',
} as const satisfies Flag

export const embedLora = {
  flags: '--embed-lora',
  help: 'factors for embeddings and head, too, instead of full copies',
} as const satisfies Flag

export const noEmbedLora = {
  flags: '--no-embed-lora',
  help: 'full copies of embeddings and head (the default)',
} as const satisfies Flag

export const saveModule = {
  flags: '--save-module <name>',
  help: 'module to save in full, by its name or the last part of it; repeatable',
  repeated: true,
} as const satisfies Flag

export const includeRegex = {
  flags: '-i, --include-regex <regex>',
  help: 'only modules whose name matches; repeatable',
  repeated: true,
} as const satisfies Flag

export const excludeRegex = {
  flags: '-e, --exclude-regex <regex>',
  help: 'no modules whose name matches; repeatable',
  repeated: true,
} as const satisfies Flag

export const svEpsilon = {
  flags: '--sv-epsilon <x>',
  help: 'singular values to drop: those at or below this',
  fallback: 0,
  parse: atLeastZero('--sv-epsilon'),
} as const satisfies Flag

export const skipUndecomposable = {
  flags: '--skip-undecomposable',
  help: 'leave out norms and other modules without factors instead of saving them in full',
} as const satisfies Flag

export const flags = [
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
] as const satisfies readonly Flag[]

export type Flags = FlagValues<(typeof flags)[number]>
