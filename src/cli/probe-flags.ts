/** Flags of probing. */
import type { ProbeKind, ProbeProfile } from '#task/probing'
import { type Flag, list, seeds, wordsOf } from './flag.ts'

export const probeFlags = {
  probeData: {
    flags: '--data <source>',
    help: 'a folder of Holmes (samples.csv and configs, or folders of them), blimp from the hub, or blimp:FOLDER, zorro:FOLDER, ud:FOLDER, senteval:FOLDER',
  },
  probeNames: {
    flags: '--only <names>',
    help: 'only these data sets of it, comma-separated, with *: blimp-*island*',
    parse: list,
  },
  taskTypes: {
    flags: '--task-types <names>',
    help: 'only data sets of these types, e.g. SENTENCE,SENTENCE_TOKENS',
    parse: list,
  },
  controls: {
    flags: '--controls <names>',
    help: 'beside the data as it is: permutation of words, randomization of labels, random-weights; comma-separated',
    parse: list,
  },
  probe: {
    flags: '--probe <kind>',
    help: 'one layer, or a hidden one of 1,000 before it',
    choices: wordsOf<ProbeKind>()(['linear', 'mlp']),
    fallback: 'linear',
  },
  mdl: { flags: '--mdl', help: 'description lengths too, in bits: ten more probes each' },
  probeSeeds: { flags: '--seeds <numbers>', help: 'a probe each (default 0,1,2,3,4)', parse: seeds('--seeds') },
  trainPortion: {
    flags: '--train-portion <share>',
    help: 'share of the training rows, e.g. 1/32 as in Flash-Holmes',
    fallback: '1',
  },
  probeProfile: {
    flags: '--profile <name>',
    help: 'corrected; or holmes: the softmax taken twice, inputs as they are, as its published numbers were made',
    choices: wordsOf<ProbeProfile>()(['corrected', 'holmes']),
    fallback: 'corrected',
  },
} as const satisfies Record<string, Flag>
