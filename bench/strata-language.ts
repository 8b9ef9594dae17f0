/**
 * Strata's turn in `language`: the same requests, scored and written in one process; model loading is told by itself.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import type { ComputeType } from '../src/model/passes/index.ts'
import type { Engine } from '../src/platform/runtime/index.ts'
import { openModel } from './lib/strata.ts'

export interface Job {
  readonly model: string
  readonly sets: Readonly<Record<string, readonly (readonly [context: string, continuation: string])[]>>
  readonly prompts: readonly string[]
  readonly tokens: number
  readonly engine: Engine
  readonly dtype: ComputeType
}

export interface Turn {
  readonly sets: Readonly<
    Record<
      string,
      { readonly seconds: number; readonly scores: readonly (readonly [number, boolean])[]; readonly batch?: number }
    >
  >
  /** Tokens without the ends of texts. */
  readonly written?: { readonly seconds: number; readonly tokens?: number; readonly batch?: number }
}

const [input, output] = process.argv.slice(2)
const job = JSON.parse(readFileSync(input ?? '', 'utf8')) as Job
const model = await openModel(job.model, { engine: job.engine, dtype: job.dtype })
const language = await model.languageModel?.()
if (language === undefined) throw new Error(`${job.model} is no language model`)
const sets: Record<string, Turn['sets'][string]> = {}
const first = Object.values(job.sets)[0]?.slice(0, 8) ?? []
await language.logLikelihoods(first.map(([context, continuation]) => ({ context, continuation })))
// its graph is another, and the peer has written before its best batch size is known
if (job.prompts.length > 0) await language.generate(job.prompts.slice(0, 2), { maxTokens: 2 })
for (const [name, pairs] of Object.entries(job.sets)) {
  const began = performance.now()
  const scores = await language.logLikelihoods(pairs.map(([context, continuation]) => ({ context, continuation })))
  sets[name] = {
    seconds: (performance.now() - began) / 1000,
    scores: scores.map(({ logLikelihood, isGreedy }) => [logLikelihood, isGreedy]),
  }
}
const began = performance.now()
const texts = job.prompts.length === 0 ? [] : await language.generate(job.prompts, { maxTokens: job.tokens })
const seconds = (performance.now() - began) / 1000
await model.close()
writeFileSync(
  output ?? '',
  JSON.stringify({
    sets,
    ...(texts.length > 0 && {
      written: { seconds, tokens: texts.reduce((sum, { tokens }) => sum + (tokens?.written ?? NaN), 0) },
    }),
  }),
)
