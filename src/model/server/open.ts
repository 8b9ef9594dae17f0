/**
 * A model behind a server as a language model: the three requests of lm-evaluation-harness, as its `TemplateAPI` asks
 * them (`models/api_models.py` of 0.4.13).
 */
import {
  type ContinuationScore,
  fault,
  fingerprint,
  type GenerateOptions,
  type Generation,
  type LanguageModel,
  type LanguageModelCall,
  type LanguageModelFacts,
  type NamedToken,
} from '#core'
import {
  chatPrompt,
  encodeByRules,
  rollingWindows,
  sortOutLong,
  splitRequests,
  type Tokenizer,
  type TokenRules,
} from '#model/tokenizer'
import { pythonTurns } from './chats.ts'
import { scoringModels, type ServerKind, serverKinds } from './kinds.ts'
import type { Line, Remedies } from './post.ts'
import { askScores, type Scoring } from './scores.ts'
import { askTexts, type Texting } from './texts.ts'

/** Words of `model_args`; defaults are the reference's. */
export interface ServerOptions {
  readonly kind: ServerKind
  /** As the server calls it. */
  readonly model: string
  /** The whole address: `http://localhost:8000/v1/completions`. */
  readonly address: string
  /** None: texts go as they are, and nothing is scored. */
  readonly tokenizer: Tokenizer | undefined
  /** Bearer token, where there is one. */
  readonly key: () => string | undefined
  /** Prompts as ids (default), or as texts. */
  readonly tokenized?: boolean | undefined
  /** Requests under way at once; default 1. */
  readonly concurrent?: number | undefined
  /** Prompts per request; default 1. */
  readonly batchSize?: number | undefined
  /** Tries per request; default 3. */
  readonly tries?: number | undefined
  /** Longest wait for an answer; default 300. */
  readonly seconds?: number | undefined
  /** Tokens of context, continuation and the one that is written after them; default 2048. */
  readonly maxLength?: number | undefined
  /** Maximum number of tokens of a text whose task sets none; default 256. */
  readonly maxTokens?: number | undefined
  /** Sent with every request; default 1234. A drawn text's own is added to it. */
  readonly seed?: number | undefined
  readonly addBosToken?: boolean | undefined
  readonly prefixTokenId?: number | undefined
  /** Ends every text; default: the tokenizer's end of text. */
  readonly endString?: string | undefined
  /** What a chat model thinks ends with this, and is no part of its answer. */
  readonly thinkEnd?: string | undefined
}

const remedies: Remedies = {
  silent: 'is the server running there? base_url is the whole address, …/v1/completions',
  late: 'give it longer, or less to do: timeout=… and num_concurrent=… in --model_args',
  key: 'set OPENAI_API_KEY',
  refused: {
    400: 'the server does not take this request: its model, its longest prompt (max_length), token ids (tokenized_requests=False sends text)',
    404: 'base_url is the whole address, …/v1/completions or …/v1/chat/completions, and model the name that the server gives it',
    429: 'send fewer requests at a time with num_concurrent; answers are kept with --output_path or --use_cache',
  },
}

/** What the requests share. */
interface Server {
  readonly options: ServerOptions
  readonly named: Readonly<Record<'beginOfText' | 'endOfText' | 'padding', NamedToken | undefined>>
  readonly texting: Texting
  readonly scoring: Scoring
  readonly onlyWrites: string | undefined
}

/**
 * Asks nothing yet. Throws `usage.flag` where a key is missing, `tokenizer.invalid` where there is no token to begin
 * with.
 */
export function openServer(options: ServerOptions): LanguageModel {
  const { kind, tokenizer } = options
  const { chat, openai } = serverKinds[kind]
  if (openai && options.key() === undefined)
    throw fault('usage.flag', { place: kind, what: 'needs an API key', hint: 'set OPENAI_API_KEY' })
  const server = serverOf(options)
  const { tokenized } = server.texting
  return {
    facts: factsOf(server),
    takesKwargs: true,
    onlyWrites: server.onlyWrites,
    async logLikelihoods(requests, { onAnswer, isKnown, onTooLong, ...call } = {}) {
      const read = reading(server)
      const all = await splitRequests(requests, read.tokenizer, read.rules)
      // the first token of a text has no score: one of the context stays
      const { split, places } = sortOutLong(all, read.window - 1, onTooLong)
      const answers: ContinuationScore[] = []
      await askScores(split, read, {
        ...call,
        isKnown: isKnown === undefined ? undefined : (place) => isKnown(places[place] ?? -1),
        onAnswer: (place, answer) => {
          const index = places[place] ?? -1
          answers[index] = answer
          onAnswer?.(index, answer)
        },
      })
      return answers
    },
    rollingLogLikelihoods: (texts, call = {}) => askRolling(server, texts, call),
    generate: (prompts, given = {}) => askPrompts(server, prompts, given),
    ...(chat && { chatPrompt: pythonTurns }),
    ...(tokenized &&
      tokenizer?.hasChatTemplate === true && {
        chatPrompt: (turns, { continueLast = false } = {}) => chatPrompt(tokenizer, turns, { continueLast }),
      }),
  }
}

function serverOf(options: ServerOptions): Server {
  const { kind, model, address, tokenizer, key, concurrent = 1, maxLength = 2048, seed = 1234 } = options
  const { tries = 3, seconds = 300, maxTokens = 256 } = options
  const { chat } = serverKinds[kind]
  const line: Line = { address, key, tries, seconds, remedies }
  const special = (name: string): NamedToken | undefined => {
    const text = tokenizer?.specialTokens[name]
    const id = text === undefined ? undefined : tokenizer?.tokenId(text)
    return text === undefined || id === undefined ? undefined : { text, id }
  }
  const endOfText = special('eos_token')
  const endString = options.endString ?? (chat ? undefined : endOfText?.text)
  const manyEnd = kind === 'openai-chat-completions' ? '<|endoftext|>' : undefined
  const end = concurrent <= 1 ? endString : manyEnd
  const shared = {
    line,
    concurrent,
    batchSize: chat ? 1 : (options.batchSize ?? 1),
    // one token is always written
    window: maxLength - 1,
    tokenized: !chat && tokenizer !== undefined && options.tokenized !== false,
  }
  return {
    options,
    named: { beginOfText: special('bos_token'), endOfText, padding: special('pad_token') },
    texting: { ...shared, asking: { kind, model, seed, end, maxTokens }, thinkEnd: options.thinkEnd },
    scoring: { ...shared, asking: { model, seed } },
    onlyWrites: whyNoScores(options),
  }
}

function factsOf({ options, named, texting }: Server): LanguageModelFacts {
  const { kind, model, address, tokenizer, addBosToken, prefixTokenId, thinkEnd } = options
  const { asking, window, tokenized } = texting
  const { seed, maxTokens, end } = asking
  const asked = { kind, model, address, window, tokenized, seed, maxTokens, end }
  const identity = { ...asked, tokenizer: tokenizer?.identity, addBosToken, prefixTokenId, thinkEnd }
  return {
    name: model,
    window,
    ...named,
    // what a server runs is its own business, and may change
    revision: `server-${fingerprint([kind, address]).slice(0, 12)}`,
    identity: fingerprint(identity),
    parameters: undefined,
    dtype: 'unknown',
    chatTemplate: undefined,
  }
}

interface Reading extends Scoring {
  readonly tokenizer: Tokenizer
  readonly rules: TokenRules
}

function reading({ options, named, scoring, onlyWrites }: Server): Reading {
  const { kind, model, tokenizer } = options
  if (tokenizer === undefined || onlyWrites !== undefined)
    throw fault('usage.conflict', {
      place: `${kind} › ${model}`,
      what: onlyWrites ?? 'no tokenizer',
      hint: serverKinds[kind].chat
        ? 'tasks of generate_until run, or a server of completions'
        : 'tokenizer=…, tokenizer_backend=huggingface',
    })
  const prefixToken = options.prefixTokenId ?? named.beginOfText?.id ?? named.endOfText?.id
  if (prefixToken === undefined)
    throw fault('tokenizer.invalid', {
      place: tokenizer.name,
      what: 'no token to begin a text with',
      hint: 'name one: custom_prefix_token_id',
    })
  const rules = { prefixToken, addSpecialTokens: options.addBosToken === true, everywhere: true }
  return { ...scoring, tokenizer, rules }
}

async function askRolling(
  server: Server,
  texts: readonly string[],
  { onAnswer, isKnown, ...call }: LanguageModelCall<number>,
): Promise<number[]> {
  const read = reading(server)
  const { tokenizer, rules, window } = read
  const encoded = await encodeByRules(texts, tokenizer, rules)
  const windows = encoded.flatMap((ids, text) =>
    rollingWindows(ids, rules.prefixToken, window - 1).map((one) => ({ text, one })),
  )
  const scores = await askScores(
    windows.map(({ one }) => one),
    read,
    { ...call, isKnown: isKnown === undefined ? undefined : (index) => isKnown(windows[index]?.text ?? -1) },
  )
  return texts.map((_, text) => {
    const sum = windows.reduce((left, own, i) => left + (own.text === text ? (scores[i]?.logLikelihood ?? 0) : 0), 0)
    if (isKnown?.(text) !== true) onAnswer?.(text, sum)
    return sum
  })
}

async function askPrompts(
  { options, texting }: Server,
  prompts: readonly string[],
  given: GenerateOptions,
): Promise<Generation[]> {
  const { kind, model, tokenizer } = options
  if (serverKinds[kind].chat && given.addSpecialTokens !== false)
    throw fault('usage.conflict', {
      place: `${kind} › ${model}`,
      what: 'takes only chats',
      hint: '--apply_chat_template',
    })
  const rules = { prefixToken: 0, addSpecialTokens: options.addBosToken === true, everywhere: true }
  const ids = !texting.tokenized || tokenizer === undefined ? undefined : await encodeByRules(prompts, tokenizer, rules)
  return askTexts({ prompts, ids }, texting, given)
}

function whyNoScores({ kind, model, tokenizer }: ServerOptions): string | undefined {
  const { chat, openai } = serverKinds[kind]
  if (chat) return 'a chat returns no log-probabilities'
  if (tokenizer === undefined) return 'scores need a tokenizer'
  return openai && !scoringModels.includes(model) ? 'the model returns no log-probabilities of its prompt' : undefined
}
