/** Sampling of texts, and transforms of the matrices. */
import type { Transform } from '#representation/similarity'
import { type Flag, wordsOf } from '../spec/flag.ts'
import { positive, wholeNumber } from '../spec/parsers.ts'

export const sampleSize = {
  flags: '--sample-size <n>',
  help: 'number of texts per trial; a smaller corpus is used whole, once',
  fallback: 3000,
  parse: positive('--sample-size'),
} as const satisfies Flag

export const trials = {
  flags: '--trials <n>',
  help: 'number of samples that the mean and deviation are taken over',
  fallback: 5,
  parse: positive('--trials'),
} as const satisfies Flag

export const seed = {
  flags: '--seed <n>',
  help: 'seed of the samples',
  fallback: 42,
  parse: wholeNumber('--seed'),
} as const satisfies Flag

export const transform = {
  flags: '--transform <name>',
  help: 'transform of the mean matrices',
  choices: wordsOf<Transform>()(['arccos', 'log', 'row-sum']),
} as const satisfies Flag
