/** `POST /v1/completions` and `/v1/chat/completions` as OpenAI has them; log-probabilities are those of prompts. */
import { randomInt, randomUUID } from 'node:crypto'
import { fault, type GenerateOptions, type Generation, type LanguageModel } from '#core'
import type { Zod } from '#files/formats'
import { type Answer, json } from '#serve/http'
import type { ServedModel } from './served.ts'
import { echoChoices } from './echo.ts'
import { post } from './world.ts'
import {
  finishReason,
  generateOptions,
  type Piece,
  streamPieces,
  toPrompt,
  countTokens,
  writingFields,
} from './write-texts.ts'

const draw = (): number => randomInt(2 ** 31)
const noLogprobs = (z: Zod) => z.literal([null, false], { error: 'chats have no log-probabilities' }).optional()

export const completions = post({
  path: '/v1/completions',
  dialect: 'openai',
  summary: 'Texts that continue prompts',
  schema: (z) =>
    z.strictObject({
      ...writingFields(z, 16),
      max_tokens: z.int().min(0).max(1_000_000).nullable().default(16),
      prompt: z.union([
        z.string(),
        z.array(z.string()).min(1).max(256),
        z.array(z.int()).min(1),
        z.array(z.array(z.int()).min(1)).min(1).max(256),
      ]),
      echo: z.boolean().nullish(),
      logprobs: z.int().min(0).max(1).nullish(),
    }),
  async run({ prompt, echo, logprobs, ...asked }, { world: { served }, signal }) {
    const own = served.findModel(asked.model)
    const head = makeHead('cmpl', asked.model ?? own.name)
    checkEcho({ echo, logprobs, ...asked })
    if (echo === true) {
      const hasNext = asked.max_tokens === 1
      const found = await echoChoices(own, { prompts: toList(prompt), hasTop: logprobs === 1, hasNext, signal })
      const written = hasNext ? found.choices.length : 0
      const usage = { prompt_tokens: found.tokens, completion_tokens: written, total_tokens: found.tokens + written }
      return json({ ...head('text_completion'), choices: found.choices, usage })
    }
    const model = await own.writer()
    return written({
      own,
      model,
      prompts: textsIn(prompt),
      options: generateOptions(asked, signal, draw),
      stream: asked.stream === true,
      whole: (texts) => ({
        ...head('text_completion'),
        choices: texts.map((one, index) => ({
          text: one.text,
          index,
          logprobs: null,
          finish_reason: finishReason(one),
        })),
        usage: countTokens(texts),
      }),
      part: ({ text, index, finish }) => ({
        ...head('text_completion'),
        choices: [{ text, index, logprobs: null, finish_reason: finish }],
      }),
    })
  },
})

export const chatCompletions = post({
  path: '/v1/chat/completions',
  dialect: 'openai',
  summary: 'Answers in a chat',
  schema: (z) => {
    const part = z.strictObject({ type: z.literal('text'), text: z.string() })
    return z.strictObject({
      ...writingFields(z, null),
      messages: z
        .array(
          z.strictObject({
            role: z.string().min(1).max(100),
            content: z.union([z.string(), z.array(part)]),
            name: z.string().optional(),
          }),
        )
        .min(1)
        .max(10_000),
      max_completion_tokens: z.int().min(1).max(1_000_000).nullish(),
      logprobs: noLogprobs(z),
    })
  },
  async run({ messages, max_completion_tokens, ...asked }, { world: { served }, signal }) {
    const own = served.findModel(asked.model)
    const model = await own.writer()
    const turns = messages.map(({ role, content }) => ({
      role,
      content: typeof content === 'string' ? content : content.map(({ text }) => text).join(''),
    }))
    const head = makeHead('chatcmpl', asked.model ?? own.name)
    const tokens = { max_tokens: max_completion_tokens ?? asked.max_tokens }
    return written({
      own,
      model,
      prompts: [toPrompt(model, turns)],
      // the template has put them
      options: { ...generateOptions({ ...asked, ...tokens }, signal, draw), addSpecialTokens: false },
      stream: asked.stream === true,
      whole: (texts) => ({
        ...head('chat.completion'),
        choices: texts.map((one, index) => ({
          index,
          message: { role: 'assistant', content: one.text },
          logprobs: null,
          finish_reason: finishReason(one),
        })),
        usage: countTokens(texts),
      }),
      part: ({ text, index, finish }) => ({
        ...head('chat.completion.chunk'),
        choices: [{ index, delta: { role: 'assistant', content: text }, logprobs: null, finish_reason: finish }],
      }),
    })
  },
})

type Prompt = string | readonly string[] | readonly number[] | readonly (readonly number[])[]

function toList(prompt: Prompt): (string | readonly number[])[] {
  if (typeof prompt === 'string') return [prompt]
  const ids = prompt.filter((one) => typeof one === 'number')
  return ids.length > 0 ? [ids] : prompt.filter((one) => typeof one !== 'number')
}

function textsIn(prompt: Prompt): string[] {
  const list = toList(prompt)
  const texts = list.filter((one) => typeof one === 'string')
  if (texts.length === list.length) return texts
  throw fault('usage.value', {
    place: 'prompt',
    what: 'a text is continued, and not its token ids',
    hint: 'lm_eval sends texts with tokenized_requests=False',
  })
}

/** Log-probabilities are read off the prompt's own pass. Throws `usage.conflict`. */
function checkEcho({
  echo,
  logprobs,
  max_tokens,
  temperature,
  stream,
}: {
  readonly echo?: boolean | null | undefined
  readonly logprobs?: number | null | undefined
  readonly max_tokens: number | null
  readonly temperature?: number | null | undefined
  readonly stream?: boolean | null | undefined
}): void {
  const asks = logprobs != null
  if (!asks && echo !== true && max_tokens !== 0) return
  if (asks && echo === true && stream !== true && (max_tokens === 0 || (max_tokens === 1 && temperature === 0))) return
  throw fault('usage.conflict', {
    place: asks ? 'logprobs' : 'echo',
    what: 'log-probabilities are those of a prompt that is given back',
    wanted: 'echo: true, logprobs: 0 or 1, and max_tokens: 0, or 1 at temperature 0',
  })
}

interface Writing {
  readonly own: ServedModel
  readonly model: LanguageModel
  readonly prompts: readonly string[]
  readonly options: GenerateOptions
  readonly stream: boolean
  readonly whole: (texts: readonly Generation[]) => object
  readonly part: (piece: Piece) => object
}

async function written({ own, model, prompts, options, stream, whole, part }: Writing): Promise<Answer> {
  const write = (more: GenerateOptions = {}): Promise<Generation[]> =>
    own.inTurn(() => model.generate(prompts, { ...options, ...more }))
  if (!stream) return json(whole(await write()))
  const pieces = streamPieces((onText) => write({ onText }))
  return { kind: 'stream', events: mapped(pieces, part) }
}

async function* mapped<From, To>(items: AsyncIterable<From>, to: (item: From) => To): AsyncGenerator<To> {
  for await (const item of items) yield to(item)
}

function makeHead(kind: string, model: string): (object: string) => object {
  const [id, created] = [`${kind}-${randomUUID()}`, Math.floor(Date.now() / 1000)]
  return (object) => ({ id, object, created, model })
}
