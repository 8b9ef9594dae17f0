/** Flags of `strata probe` alone. */
import type { ProbeKind, ProbeProfile } from '#task/probing'
import { type Flag, wordsOf } from '../../spec/flag.ts'
import { list, wholeNumbers } from '../../spec/parsers.ts'

export const data = {
  flags: '--data <source>',
  help: 'a folder of Holmes (samples.csv and configs, or folders of them), blimp from the hub, or blimp:FOLDER, zorro:FOLDER, ud:FOLDER, senteval:FOLDER',
} as const satisfies Flag

export const only = {
  flags: '--only <names>',
  help: 'only these data sets of it, comma-separated, with *: blimp-*island*',
  parse: list,
} as const satisfies Flag

export const taskTypes = {
  flags: '--task-types <names>',
  help: 'only data sets of these types, e.g. SENTENCE,SENTENCE_TOKENS',
  parse: list,
} as const satisfies Flag

export const controls = {
  flags: '--controls <names>',
  help: 'beside the data as it is: permutation of words, randomization of labels, random-weights; comma-separated',
  parse: list,
} as const satisfies Flag

export const probe = {
  flags: '--probe <kind>',
  help: 'one layer, or a hidden one of 1,000 before it',
  choices: wordsOf<ProbeKind>()(['linear', 'mlp']),
  fallback: 'linear',
} as const satisfies Flag

export const mdl = {
  flags: '--mdl',
  help: 'description lengths too, in bits: ten more probes each',
} as const satisfies Flag

export const seeds = {
  flags: '--seeds <numbers>',
  help: 'a probe each (default 0,1,2,3,4)',
  parse: wholeNumbers('--seeds'),
} as const satisfies Flag

export const trainPortion = {
  flags: '--train-portion <share>',
  help: 'share of the training rows, e.g. 1/32 as in Flash-Holmes',
  fallback: '1',
} as const satisfies Flag

export const profile = {
  flags: '--profile <name>',
  help: 'corrected; or holmes: the softmax taken twice, inputs as they are, as its published numbers were made',
  choices: wordsOf<ProbeProfile>()(['corrected', 'holmes']),
  fallback: 'corrected',
} as const satisfies Flag
