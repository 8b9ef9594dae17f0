/** Texts that a server writes. */
import { fault, type GenerateOptions, type Generation, stripText } from '#core'
import { sendBatches } from './batches.ts'
import { type Asking, chatBody, mostTokens, textBody } from './bodies.ts'
import { turnsOf } from './chats.ts'
import { serverKinds } from './kinds.ts'
import { type Line, placeOf, post } from './post.ts'
import { readTexts } from './read-texts.ts'

export interface Texting {
  readonly asking: Asking
  readonly line: Line
  readonly concurrent: number
  readonly batchSize: number
  readonly window: number
  readonly tokenized: boolean
  readonly thinkEnd: string | undefined
}

/** Prompts, and their ids where those are sent. */
interface Prompts {
  readonly prompts: readonly string[]
  readonly ids: readonly Int32Array[] | undefined
}

/**
 * Throws `usage.value` for a most of tokens that leaves no room, or a prompt that is too long and not to be cut, and
 * what `post` and reading throw.
 */
export async function askTexts(
  { prompts, ids }: Prompts,
  texting: Texting,
  given: GenerateOptions,
): Promise<Generation[]> {
  const { line, concurrent, batchSize, thinkEnd } = texting
  const { chat } = serverKinds[texting.asking.kind]
  const kwargs = given.kwargs ?? ownKwargs(given)
  const asking = { ...texting.asking, seed: texting.asking.seed + (given.seed ?? 0) }
  const room = ids === undefined ? Infinity : roomFor(mostTokens(kwargs, asking), texting)
  const cut = ids?.map((own) => Array.from(own.subarray(Math.max(0, own.length - room))))
  const dropped = prompts.map((_, i) => Math.max(0, (ids?.[i]?.length ?? 0) - room))
  if (given.longPrompts === 'refuse' && dropped.some((count) => count > 0))
    throw fault('usage.value', {
      place: placeOf(line),
      what: 'a prompt leaves no room for an answer',
      seen: Math.max(...dropped) + room,
      wanted: `at most ${room} tokens`,
    })
  const lengths = prompts.map((prompt) => (chat ? 0 : Array.from(prompt).length))
  const order = prompts.map((_, i) => i).sort((a, b) => (lengths[b] ?? 0) - (lengths[a] ?? 0) || a - b)
  return sendBatches(
    order,
    async (indices, signal): Promise<Generation[]> => {
      const texts = indices.map((i) => prompts[i] ?? '')
      const written = batchSize > 1 ? texts : (texts[0] ?? '')
      const prompt = cut === undefined ? written : indices.map((i) => cut[i] ?? [])
      const body = chat ? chatBody(turnsOf(texts[0] ?? ''), kwargs, asking) : textBody(prompt, kwargs, asking)
      const read = readTexts(await post(line, body, signal), indices.length, { chat, place: placeOf(line) })
      return read.map(({ text, end }, i) => ({
        text: withoutThoughts(text, thinkEnd),
        end,
        droppedTokens: dropped[indices[i] ?? 0] ?? 0,
      }))
    },
    {
      ...given,
      onAnswer(index, answer: Generation) {
        given.onText?.(index, answer.text)
        given.onAnswer?.(index, answer)
      },
      concurrent,
      batchSize,
      stage: 'generate',
    },
  )
}

function ownKwargs({ until, maxTokens, temperature, topK, topP }: GenerateOptions): Record<string, unknown> {
  const said = { until, max_gen_toks: maxTokens, temperature, top_k: topK, top_p: topP }
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined))
}

function roomFor(most: number, { line, window }: Texting): number {
  if (window - most >= 1) return window - most
  throw fault('usage.value', {
    place: `${placeOf(line)} › max_gen_toks`,
    what: 'leaves no room for a prompt',
    seen: most,
    wanted: `below ${window} (max_length)`,
  })
}

function withoutThoughts(text: string, thinkEnd: string | undefined): string {
  if (thinkEnd === undefined || thinkEnd === '') return text
  const rest = text.slice(text.lastIndexOf(thinkEnd) < 0 ? 0 : text.lastIndexOf(thinkEnd) + thinkEnd.length)
  // white space in front alone
  return rest.slice(stripText(`${rest}.`).length === 0 ? 0 : rest.length + 1 - stripText(`${rest}.`).length)
}
