/** Flags of `strata moments`. */
import type { MomentKind, MomentLabels } from '#experiment/moments'
import { everywhere } from '../../flags/everywhere.ts'
import { maxLength } from '../../flags/reading.ts'
import { seed } from '../../flags/sampling.ts'
import { type Flag, wordsOf } from '../../spec/flag.ts'
import type { FlagValues } from '../../spec/flag-values.ts'
import { positive } from '../../spec/parsers.ts'

const out = { flags: '--out <file>', help: 'safetensors file to write, float32' } as const satisfies Flag

const kind = {
  flags: '--kind <name>',
  help: 'fisher: the diagonal of the Fisher information, from gradients; gram: Gram matrices of the inputs of linear layers',
  choices: wordsOf<MomentKind>()(['fisher', 'gram']),
  fallback: 'fisher',
} as const satisfies Flag

const task = {
  flags: '--task <name>',
  help: 'task whose texts are read: one for classifiers, such as MASSIVEIntent',
  fallback: 'MASSIVEIntent',
} as const satisfies Flag

const subset = {
  flags: '--subset <name>',
  help: 'subset of the task, such as sq-AL (default: the only one)',
} as const satisfies Flag

const split = {
  flags: '--split <name>',
  help: 'split of the texts; what a merge is scored on should not be read here',
  fallback: 'train',
} as const satisfies Flag

const texts = {
  flags: '--texts <n>',
  help: 'number of texts',
  fallback: 512,
  parse: positive('--texts'),
} as const satisfies Flag

export const labels = {
  flags: '--labels <kind>',
  help: 'classes whose gradients count: sampled (one draw of the model per text), expected (every class, by its probability), labelled (those of the data)',
  choices: wordsOf<MomentLabels>()(['sampled', 'expected', 'labelled']),
  fallback: 'sampled',
} as const satisfies Flag

export const flags = [
  kind,
  out,
  task,
  subset,
  split,
  texts,
  labels,
  seed,
  maxLength,
  ...everywhere,
] as const satisfies readonly Flag[]

export type Flags = FlagValues<(typeof flags)[number]>
