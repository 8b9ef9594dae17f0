/** Flags of `strata generate` alone. */

import type { Flag } from '../../spec/flag.ts'
import { atLeastZero, integer, positive, share } from '../../spec/parsers.ts'

export const chat = {
  flags: '--chat',
  help: 'the prompt is a turn of a chat, by the model’s chat template; without a prompt, at a terminal: a dialogue',
} as const satisfies Flag

export const system = { flags: '--system <text>', help: 'what the chat begins with' } as const satisfies Flag

export const maxNewTokens = {
  flags: '-n, --max-new-tokens <n>',
  help: 'tokens of an answer at most (default: 256)',
  parse: positive('--max-new-tokens'),
} as const satisfies Flag

export const temperature = {
  flags: '--temperature <t>',
  help: '0: always the most probable token (default; 1 where --top-k or --top-p is given)',
  parse: atLeastZero('--temperature'),
} as const satisfies Flag

export const topK = {
  flags: '--top-k <k>',
  help: 'draw from the k most probable tokens',
  parse: positive('--top-k'),
} as const satisfies Flag

export const topP = {
  flags: '--top-p <p>',
  help: 'draw from the fewest tokens that have this probability together',
  parse: share('--top-p'),
} as const satisfies Flag

export const seed = {
  flags: '--seed <n>',
  help: 'of what is drawn: the same seed, the same text (default: another one each time)',
  parse: integer('--seed'),
} as const satisfies Flag

export const stop = {
  flags: '--stop <text>',
  help: 'the answer ends before this text; repeatable',
  repeated: true,
} as const satisfies Flag
