/** How a model is read. */
import type { FinalNorm } from '#model/passes'
import { type Flag, wordsOf } from '../spec/flag.ts'
import { positive } from '../spec/parsers.ts'

export const pooling = {
  flags: '--pooling <name>',
  help: 'how token states become one vector: mean, cls, lasttoken, max, weightedmean, pooler',
} as const satisfies Flag

/** For a command that also compares tokens. */
export const poolingOrMaxSim = {
  flags: '--pooling <name>',
  help: `${pooling.help}; maxsim: all tokens are compared, for retrieval and reranking`,
} as const satisfies Flag

export const finalNorm = {
  flags: '--final-norm <rule>',
  help: 'whether the final norm is applied to every state (always) or only where transformers applies it (native)',
  choices: wordsOf<FinalNorm>()(['native', 'always']),
} as const satisfies Flag

export const maxLength = {
  flags: '--max-length <n>',
  help: 'maximum number of tokens per text, special tokens included',
  parse: positive('--max-length'),
} as const satisfies Flag

export const prompt = { flags: '--prompt <text>', help: 'text in front of every text' } as const satisfies Flag

export const promptName = {
  flags: '--prompt-name <name>',
  help: 'name of one of the model’s own prompts',
} as const satisfies Flag

export const adapter = {
  flags: '--adapter <name>',
  help: 'one of the model’s task adapters for every text, or none (default: the one for the task)',
} as const satisfies Flag

export const architecture = {
  flags: '--architecture <family>',
  help: 'model family to read config.json as',
} as const satisfies Flag

export const normalize = {
  flags: '--normalize',
  help: 'vectors scaled to length 1 before they are scored',
} as const satisfies Flag

/** All except the pooling. */
export const furtherReading = [
  finalNorm,
  maxLength,
  prompt,
  promptName,
  adapter,
  architecture,
] as const satisfies readonly Flag[]

export const reading = [pooling, ...furtherReading] as const satisfies readonly Flag[]
