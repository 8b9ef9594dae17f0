/** Flags of `strata probe`. */
import { dryRun, everywhere } from '../../flags/everywhere.ts'
import { machine } from '../../flags/machine.ts'
import { plugin } from '../../flags/plugin.ts'
import { adapter, finalNorm, maxLength, prompt, promptName, architecture } from '../../flags/reading.ts'
import { results } from '../../flags/results.ts'
import type { ProbeKind, ProbeProfile } from '#task/probing'
import { type Flag, wordsOf } from '../../spec/flag.ts'
import { list, wholeNumbers } from '../../spec/parsers.ts'
import type { FlagValues } from '../../spec/flag-values.ts'

export const data = {
  flags: '--data <source>',
  help: 'probing data: a folder of Holmes (samples.csv and configs, or folders of them), blimp from the hub, or blimp:FOLDER, zorro:FOLDER, ud:FOLDER, senteval:FOLDER',
} as const satisfies Flag

export const only = {
  flags: '--only <names>',
  help: 'only these data sets, comma-separated, with *: blimp-*island*',
  parse: list,
} as const satisfies Flag

export const taskTypes = {
  flags: '--task-types <names>',
  help: 'only data sets of these types, such as SENTENCE,SENTENCE_TOKENS',
  parse: list,
} as const satisfies Flag

export const controls = {
  flags: '--controls <names>',
  help: 'controls in addition to the data as it is, comma-separated: permutation of words, randomization of labels, random-weights',
  parse: list,
} as const satisfies Flag

export const probe = {
  flags: '--probe <kind>',
  help: 'kind of probe: one layer, or with a hidden layer of 1,000',
  choices: wordsOf<ProbeKind>()(['linear', 'mlp']),
  fallback: 'linear',
} as const satisfies Flag

export const mdl = {
  flags: '--mdl',
  help: 'description lengths in bits, too: ten more probes each',
} as const satisfies Flag

export const seeds = {
  flags: '--seeds <numbers>',
  help: 'seeds, one probe each (default: 0,1,2,3,4)',
  parse: wholeNumbers('--seeds'),
} as const satisfies Flag

export const trainPortion = {
  flags: '--train-portion <share>',
  help: 'share of the training rows, such as 1/32 in Flash-Holmes',
  fallback: '1',
} as const satisfies Flag

export const profile = {
  flags: '--profile <name>',
  help: 'corrected, or as the published numbers of Holmes were made: softmax applied twice, inputs unscaled',
  choices: wordsOf<ProbeProfile>()(['corrected', 'holmes']),
  fallback: 'corrected',
} as const satisfies Flag

export const layers = {
  flags: '--layers <list>',
  help: 'hidden states: all (default), last, or indices such as 0,3,-1 (0 is the embedding output)',
} as const satisfies Flag

export const flags = [
  data,
  only,
  layers,
  taskTypes,
  controls,
  probe,
  mdl,
  seeds,
  trainPortion,
  profile,
  results,
  finalNorm,
  maxLength,
  prompt,
  promptName,
  adapter,
  architecture,
  ...machine,
  dryRun,
  plugin,
  ...everywhere,
] as const satisfies readonly Flag[]

export type Flags = FlagValues<(typeof flags)[number]>
