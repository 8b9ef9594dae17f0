/** How a model is read. */
import type { FinalNorm } from '#model/checkpoint'
import { type Flag, wordsOf } from '../spec/flag.ts'
import { positive } from '../spec/parsers.ts'

export const pooling = {
  flags: '--pooling <name>',
  help: 'mean, cls, lasttoken, max, weightedmean, pooler',
} as const satisfies Flag

export const finalNorm = {
  flags: '--final-norm <rule>',
  help: 'apply the final norm to every state (always), or return states as transformers does (native)',
  choices: wordsOf<FinalNorm>()(['native', 'always']),
} as const satisfies Flag

export const maxLength = {
  flags: '--max-length <n>',
  help: 'tokens per text, special tokens included',
  parse: positive('--max-length'),
} as const satisfies Flag

export const prompt = { flags: '--prompt <text>', help: 'text to put in front of every text' } as const satisfies Flag

export const promptName = {
  flags: '--prompt-name <name>',
  help: "name of one of the model's own prompts",
} as const satisfies Flag

export const architecture = {
  flags: '--architecture <family>',
  help: 'read config.json as this model family',
} as const satisfies Flag

export const reading = [
  pooling,
  finalNorm,
  maxLength,
  prompt,
  promptName,
  architecture,
] as const satisfies readonly Flag[]
