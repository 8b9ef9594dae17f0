/** Flags of `strata generate`. */
import { everywhere } from '../../flags/everywhere.ts'
import { threads, device, engine, dtype, cacheDir } from '../../flags/machine.ts'
import { plugin } from '../../flags/plugin.ts'
import type { Flag } from '../../spec/flag.ts'
import { atLeastZero, integer, positive, share } from '../../spec/parsers.ts'
import type { FlagValues } from '../../spec/flag-values.ts'

export const chat = {
  flags: '--chat',
  help: 'chat: the prompt is a user turn of the model’s chat template; without a prompt, at a terminal, a dialogue',
} as const satisfies Flag

export const system = { flags: '--system <text>', help: 'system message of the chat' } as const satisfies Flag

export const maxNewTokens = {
  flags: '-n, --max-new-tokens <n>',
  help: 'maximum number of tokens per answer (default: 256)',
  parse: positive('--max-new-tokens'),
} as const satisfies Flag

export const temperature = {
  flags: '--temperature <t>',
  help: 'sampling temperature; 0 always takes the most probable token (default: 0, or 1 with --top-k or --top-p)',
  parse: atLeastZero('--temperature'),
} as const satisfies Flag

export const topK = {
  flags: '--top-k <k>',
  help: 'number of most probable tokens to draw from',
  parse: positive('--top-k'),
} as const satisfies Flag

export const topP = {
  flags: '--top-p <p>',
  help: 'probability that the tokens drawn from have together: the fewest that reach it',
  parse: share('--top-p'),
} as const satisfies Flag

export const seed = {
  flags: '--seed <n>',
  help: 'seed of the draws: same seed, same text (default: a new one each time)',
  parse: integer('--seed'),
} as const satisfies Flag

export const stop = {
  flags: '--stop <text>',
  help: 'text before which the answer ends; repeatable',
  repeated: true,
} as const satisfies Flag

export const flags = [
  chat,
  system,
  maxNewTokens,
  temperature,
  topK,
  topP,
  seed,
  stop,
  threads,
  device,
  engine,
  dtype,
  cacheDir,
  plugin,
  ...everywhere,
] as const satisfies readonly Flag[]

export type Flags = FlagValues<(typeof flags)[number]>
