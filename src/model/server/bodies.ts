/** Bodies of requests, field by field as lm-evaluation-harness 0.4.13 sends them (`_create_payload`). */
import type { ServerKind } from './kinds.ts'

/** A prompt as ids or as text; several of one form in a batch. */
export type Prompts = readonly (readonly number[])[] | readonly string[] | string

export interface Asking {
  readonly kind: ServerKind
  readonly model: string
  readonly seed: number
  /** Joins the stop strings of a text; the reference knows it only while it asks one request at a time. */
  readonly end: string | undefined
  readonly maxTokens: number
}

/** Log-probabilities of every token of the prompt, and of one more that nobody needs. */
export function scoreBody(prompt: Prompts, { model, seed }: Pick<Asking, 'model' | 'seed'>): Record<string, unknown> {
  return { model, prompt, temperature: 0, max_tokens: 1, logprobs: 1, seed, echo: true }
}

export function textBody(
  prompt: Prompts,
  kwargs: Readonly<Record<string, unknown>>,
  asking: Asking,
): Record<string, unknown> {
  const { stop, temperature, rest } = parted(kwargs, asking)
  return {
    prompt,
    model: asking.model,
    max_tokens: mostTokens(kwargs, asking),
    temperature,
    stop,
    seed: asking.seed,
    ...rest,
  }
}

/**
 * OpenAI takes four stop strings, and from its reasoning models neither those nor a temperature: known by a digit in
 * the name, as the reference knows them.
 */
export function chatBody(
  messages: unknown,
  kwargs: Readonly<Record<string, unknown>>,
  asking: Asking,
): Record<string, unknown> {
  const { model, seed, kind } = asking
  const { stop, temperature, rest } = parted(kwargs, asking)
  const most = mostTokens(kwargs, asking)
  if (kind !== 'openai-chat-completions')
    return { messages, model, max_tokens: most, temperature, stop: stop.slice(0, 4), seed, ...rest }
  const body = { messages, model, max_completion_tokens: most, temperature, seed, ...rest }
  return ['o1', '5', 'o3', 'o4'].some((part) => model.includes(part))
    ? { ...body, temperature: 1 }
    : { ...body, stop: stop.slice(0, 4) }
}

export function mostTokens(
  { max_tokens: most, max_gen_toks: usual }: Readonly<Record<string, unknown>>,
  { maxTokens }: Pick<Asking, 'maxTokens'>,
): number {
  return Number(most ?? usual ?? maxTokens)
}

interface Parted {
  readonly stop: readonly string[]
  readonly temperature: unknown
  /** Names that are the server's business. */
  readonly rest: Readonly<Record<string, unknown>>
}

function parted(kwargs: Readonly<Record<string, unknown>>, { kind, end }: Asking): Parted {
  const { do_sample: _, max_tokens: __, max_gen_toks: ___, temperature = 0, until, ...rest } = kwargs
  const usual = kind === 'openai-chat-completions' && !('until' in kwargs) ? ['<|endoftext|>'] : []
  const stop = until === undefined || until === null ? usual : [until].flat().map(String)
  return { stop: end === undefined || stop.includes(end) ? stop : [...stop, end], temperature, rest }
}
