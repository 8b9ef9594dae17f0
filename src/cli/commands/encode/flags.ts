/** Flags of `strata encode`. */
import { column } from '../../flags/corpus.ts'
import { dryRun, everywhere } from '../../flags/everywhere.ts'
import { machine } from '../../flags/machine.ts'
import { layers, oneRepresentation } from '../../flags/models.ts'
import { plugin } from '../../flags/plugin.ts'
import { reading } from '../../flags/reading.ts'
import type { Flag } from '../../spec/flag.ts'
import { positive } from '../../spec/parsers.ts'
import type { FlagValues } from '../../spec/flag-values.ts'

export const out = {
  flags: '--out <file>',
  help: 'file to write: .npy, .safetensors, .parquet or .jsonl; - prints JSON lines',
} as const satisfies Flag

export const inputIds = {
  flags: '--input-ids <file>',
  help: 'token ids instead of texts: a .safetensors file with input_ids, attention_mask and more',
} as const satisfies Flag

export const prefix = {
  flags: '--prefix <text>',
  help: 'prefix of the tensor names in --input-ids, such as left.',
} as const satisfies Flag

export const tokens = {
  flags: '--tokens',
  help: 'states of every token instead of pooled vectors',
} as const satisfies Flag

export const logits = { flags: '--logits', help: 'logits of the model’s head, too' } as const satisfies Flag

export const chat = {
  flags: '--chat',
  help: 'wrap each text as one user turn of the model’s chat template',
} as const satisfies Flag

export const paddingSide = {
  flags: '--padding-side <side>',
  help: 'padding side of token output',
  choices: ['left', 'right'],
} as const satisfies Flag

export const limit = {
  flags: '--limit <n>',
  help: 'maximum number of texts',
  parse: positive('--limit'),
} as const satisfies Flag

export const flags = [
  layers,
  oneRepresentation,
  out,
  column,
  inputIds,
  prefix,
  tokens,
  logits,
  chat,
  paddingSide,
  limit,
  ...reading,
  ...machine,
  dryRun,
  plugin,
  ...everywhere,
] as const satisfies readonly Flag[]

export type Flags = FlagValues<(typeof flags)[number]>
