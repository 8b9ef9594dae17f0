/** Texts of a served language model, whole or as they come. */
import { type ChatTurn, fault, type GenerateOptions, type Generation, type LanguageModel } from '#core'
import type { Zod } from '#files/formats'

/** What both interfaces take besides their prompts; numbers and defaults are OpenAI's. */
// oxlint-disable-next-line typescript/explicit-function-return-type -- the schema is its type
export function writingFields(z: Zod, usualTokens: number | null) {
  const one = z.literal(1).nullish()
  const none = z.literal(0).nullish()
  return {
    model: z.string().max(1000).optional(),
    max_tokens: z.int().min(1).max(1_000_000).nullable().default(usualTokens),
    temperature: z.number().min(0).max(100).nullish(),
    top_p: z.number().gt(0).max(1).nullish(),
    top_k: z.int().min(1).nullish(),
    seed: z
      .int()
      .min(0)
      .max(2 ** 53 - 1)
      .nullish(),
    stop: z.union([z.string().min(1), z.array(z.string().min(1)).max(64)]).nullish(),
    stream: z.boolean().nullish(),
    user: z.string().optional(),
    n: one,
    best_of: one,
    presence_penalty: none,
    frequency_penalty: none,
  }
}

type Fields = ReturnType<typeof writingFields>
type Writing = { readonly [Name in keyof Fields]?: Fields[Name]['_output'] }

/** A drawn text is another one each time, unless a seed says which. */
export function generateOptions(asked: Writing, signal: AbortSignal, draw: () => number): GenerateOptions {
  const { temperature, top_p, top_k, seed, stop, max_tokens } = asked
  const drawn = temperature ?? 1
  return {
    temperature: drawn,
    topP: drawn === 0 ? undefined : (top_p ?? undefined),
    topK: drawn === 0 ? undefined : (top_k ?? undefined),
    seed: drawn === 0 ? undefined : (seed ?? draw()),
    until: stop == null ? undefined : [stop].flat(),
    maxTokens: max_tokens ?? undefined,
    longPrompts: 'refuse',
    signal,
  }
}

/** A chat as a prompt. Throws `chat.template` for a model without a template. */
export function toPrompt(model: LanguageModel, turns: readonly ChatTurn[]): string {
  if (model.chatPrompt === undefined)
    throw fault('chat.template', {
      place: model.facts.name,
      what: 'the model has no chat template',
      hint: 'ask /v1/completions to continue a text as it stands',
    })
  return model.chatPrompt(turns)
}

export function finishReason({ end }: Generation): 'stop' | 'length' {
  return end === 'length' ? 'length' : 'stop'
}

/** Tokens of all texts, as far as they are counted. */
export function countTokens(texts: readonly Generation[]): Readonly<Record<string, number>> {
  const sum = (count: (tokens: { prompt: number; written: number }) => number): number =>
    texts.reduce((all, { tokens }) => all + (tokens === undefined ? 0 : count(tokens)), 0)
  const [prompt, written] = [sum((tokens) => tokens.prompt), sum((tokens) => tokens.written)]
  return { prompt_tokens: prompt, completion_tokens: written, total_tokens: prompt + written }
}

/** A piece of the text of a prompt; the last one says how it ended. */
export interface Piece {
  readonly index: number
  readonly text: string
  readonly finish: 'stop' | 'length' | null
}

/** Pieces as they are settled. */
export async function* streamPieces(
  write: (onText: (index: number, text: string) => void) => Promise<Generation[]>,
): AsyncGenerator<Piece> {
  const waiting: Piece[] = []
  let wake: (() => void) | undefined
  const sent = new Map<number, number>()
  const put = (index: number, text: string, finish: Piece['finish']): void => {
    const from = sent.get(index) ?? 0
    sent.set(index, text.length)
    if (text.length > from || finish !== null) waiting.push({ index, text: text.slice(from), finish })
    wake?.()
  }
  let isOver = false
  const writing = write((index, text) => put(index, text, null))
    .then((texts) => texts.forEach((one, index) => put(index, one.text, finishReason(one))))
    .finally(() => {
      isOver = true
      wake?.()
    })
  // a failure is thrown below, after the pieces before it
  writing.catch(() => undefined)
  for (;;) {
    for (let piece = waiting.shift(); piece !== undefined; piece = waiting.shift()) yield piece
    if (isOver) break
    await new Promise<void>((resolve) => {
      wake = resolve
    })
  }
  await writing
}
