/** Flags of `strata transplant`. */
import { dryRun, everywhere } from '../../flags/everywhere.ts'
import { threads } from '../../flags/machine.ts'
import { randomSeed, outShardSize, memory, overwrite } from '../../flags/writing.ts'
import type { TransplantOptions } from '#model/transplant'
import { type Flag, wordsOf } from '../../spec/flag.ts'
import { atLeastZero, finite, integer, positive } from '../../spec/parsers.ts'
import type { FlagValues } from '../../spec/flag-values.ts'

export const approximationMethod = {
  flags: '-a, --approximation-method <name>',
  help: 'how tokens that only the donor has are approximated',
  choices: wordsOf<TransplantOptions['method']>()([
    'omp',
    'common_interpolation',
    'subword',
    'mean',
    'zero',
    'randn',
    'john_hewitt',
    'landmark_pca',
    'stb',
    'mp_rope',
  ]),
  fallback: 'omp',
} as const satisfies Flag

export const k = {
  flags: '-k, --k <n>',
  help: 'maximum number of shared tokens per approximated token',
  fallback: 64,
  parse: positive('--k'),
} as const satisfies Flag

export const weightScheme = {
  flags: '-w, --weight-scheme <name>',
  help: 'common_interpolation: weights of the neighbours',
  choices: wordsOf<TransplantOptions['weightScheme']>()(['distance_proportional', 'barycentric', 'least_squares']),
  fallback: 'distance_proportional',
} as const satisfies Flag

export const cosineSimilarity = {
  flags: '-c, --cosine-similarity',
  help: 'common_interpolation: neighbours by cosine instead of distance',
} as const satisfies Flag

export const noCosineSimilarity = {
  flags: '--no-cosine-similarity',
  help: 'common_interpolation: neighbours by distance (the default)',
} as const satisfies Flag

export const subwordMethod = {
  flags: '-s, --subword-method <name>',
  help: 'subword: how the pieces of a token are combined',
  choices: wordsOf<TransplantOptions['subwordMethod']>()(['mean', 'sum', 'weighted_mean', 'first_last']),
  fallback: 'mean',
} as const satisfies Flag

export const batchSize = {
  flags: '--batch-size <n>',
  help: 'number of tokens to approximate at once; -1 for all',
  fallback: 512,
  parse: integer('--batch-size'),
} as const satisfies Flag

export const prefixMatch = {
  flags: '--prefix-match <where>',
  help: 'tables in which the row of the longest known prefix is used instead of an approximation (yes: both)',
  choices: wordsOf<TransplantOptions['prefixMatch']>()(['no', 'lm_head', 'embed', 'yes']),
  fallback: 'no',
} as const satisfies Flag

export const byteMatch = {
  flags: '--byte-match <where>',
  help: 'tables in which characters and <0x..> tokens of the same byte share rows (yes: both)',
  choices: wordsOf<TransplantOptions['byteMatch']>()(['no', 'lm_head', 'embed', 'yes']),
  fallback: 'no',
} as const satisfies Flag

export const magikarp = { flags: '--magikarp', help: 'leave out tokens that look untrained' } as const satisfies Flag

export const noMagikarp = {
  flags: '--no-magikarp',
  help: 'use every shared token (the default)',
} as const satisfies Flag

export const newVocabNoise = {
  flags: '--new-vocab-noise <x>',
  help: 'standard deviation of Gaussian noise added to approximated rows',
  fallback: 0,
  parse: atLeastZero('--new-vocab-noise'),
} as const satisfies Flag

export const newVocabScale = {
  flags: '--new-vocab-scale <x>',
  help: 'factor for approximated rows',
  fallback: 1,
  parse: finite('--new-vocab-scale'),
} as const satisfies Flag

export const flags = [
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
] as const satisfies readonly Flag[]

export type Flags = FlagValues<(typeof flags)[number]>
