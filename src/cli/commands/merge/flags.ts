/** Flags of `strata merge`. */
import type { Compat } from '#model/merge-methods'
import { dryRun, everywhere } from '../../flags/everywhere.ts'
import { threads } from '../../flags/machine.ts'
import { plugin } from '../../flags/plugin.ts'
import { randomSeed, outShardSize, memory, overwrite } from '../../flags/writing.ts'
import { type Flag, wordsOf } from '../../spec/flag.ts'
import type { FlagValues } from '../../spec/flag-values.ts'

const compat = {
  flags: '--compat <profile>',
  help: 'whose arithmetic to follow: ours (exact), that of mergekit 0.1.4, or that of the method’s paper',
  choices: wordsOf<Compat>()(['exact', 'mergekit-0.1.4', 'paper']),
  fallback: 'exact',
} as const satisfies Flag

export const inputHashes = {
  flags: '--no-input-hashes',
  help: 'leave the SHA-256 of the input files out of the manifest, which saves reading them once more',
} as const satisfies Flag

const iUnderstand = {
  flags: '--i-understand-this-is-not-useful-without-training',
  help: 'allow experts that only training can tell apart',
} as const satisfies Flag

const steps = {
  flags: '--steps',
  help: 'print how far the merge goes from its base, as a share of the way to each input, and write nothing; with --json in the form that strata report --context reads',
} as const satisfies Flag

export const flags = [
  compat,
  randomSeed,
  outShardSize,
  memory,
  threads,
  inputHashes,
  iUnderstand,
  overwrite,
  dryRun,
  steps,
  plugin,
  ...everywhere,
] as const satisfies readonly Flag[]

export type Flags = FlagValues<(typeof flags)[number]>
