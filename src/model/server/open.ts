/**
 * A model behind a server as a language model: the three requests of lm-evaluation-harness, as its `TemplateAPI` asks
 * them (`models/api_models.py` of 0.4.13).
 */
import { fault, fingerprint, type LanguageModel, type LanguageModelFacts, type NamedToken } from '#core'
import {
  chatPrompt,
  encodeByRules,
  rollingWindows,
  splitRequests,
  type Tokenizer,
  type TokenRules,
} from '#model/tokenizer'
import { pythonTurns } from './chats.ts'
import { scoringModels, type ServerKind, serverKinds } from './kinds.ts'
import type { Line } from './post.ts'
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

/**
 * Asks nothing yet. Throws `usage.flag` where a key is missing, `tokenizer.invalid` where there is no token to begin
 * with.
 */
export function openServer(options: ServerOptions): LanguageModel {
  const {
    kind,
    model,
    address,
    tokenizer,
    key,
    concurrent = 1,
    maxLength = 2048,
    tries = 3,
    seconds = 300,
    seed = 1234,
    maxTokens = 256,
  } = options
  const { chat, openai } = serverKinds[kind]
  if (openai && key() === undefined)
    throw fault('usage.flag', { place: kind, what: 'needs an API key', hint: 'set OPENAI_API_KEY' })
  const line: Line = { address, key, tries, seconds }
  const batchSize = chat ? 1 : (options.batchSize ?? 1)
  const tokenized = !chat && tokenizer !== undefined && options.tokenized !== false
  // one token is always written
  const window = maxLength - 1
  const special = (name: string): NamedToken | undefined => {
    const text = tokenizer?.specialTokens[name]
    const id = text === undefined ? undefined : tokenizer?.tokenId(text)
    return text === undefined || id === undefined ? undefined : { text, id }
  }
  const [beginOfText, endOfText, padding] = ['bos_token', 'eos_token', 'pad_token'].map(special)
  const endString = options.endString ?? (chat ? undefined : endOfText?.text)
  const end = concurrent <= 1 ? endString : kind === 'openai-chat-completions' ? '<|endoftext|>' : undefined
  const texting: Texting = {
    asking: { kind, model, seed, end, maxTokens },
    line,
    concurrent,
    batchSize,
    window,
    tokenized,
    thinkEnd: options.thinkEnd,
  }
  const scoring: Scoring = { asking: { model, seed }, line, concurrent, batchSize, window, tokenized }
  const onlyWrites = whyNoScores(options)
  const reading = (): { tokenizer: Tokenizer; rules: TokenRules } => {
    if (tokenizer === undefined || onlyWrites !== undefined)
      throw fault('usage.conflict', {
        place: `${kind} › ${model}`,
        what: onlyWrites ?? 'no tokenizer',
        hint: chat
          ? 'tasks of generate_until run, or a server of completions'
          : 'tokenizer=…, tokenizer_backend=huggingface',
      })
    const prefixToken = options.prefixTokenId ?? beginOfText?.id ?? endOfText?.id
    if (prefixToken === undefined)
      throw fault('tokenizer.invalid', {
        place: tokenizer.name,
        what: 'the tokenizer has no token that begins a text',
        hint: 'name one with custom_prefix_token_id',
      })
    return { tokenizer, rules: { prefixToken, addSpecialTokens: options.addBosToken === true, everywhere: true } }
  }
  const identity = {
    kind,
    model,
    address,
    window,
    tokenized,
    seed,
    maxTokens,
    end,
    tokenizer: tokenizer?.identity,
    addBosToken: options.addBosToken,
    prefixTokenId: options.prefixTokenId,
    thinkEnd: options.thinkEnd,
  }
  const facts: LanguageModelFacts = {
    name: model,
    window,
    beginOfText,
    endOfText,
    padding,
    // what a server runs is its own business, and may change
    revision: `server-${fingerprint([kind, address]).slice(0, 12)}`,
    identity: fingerprint(identity),
    parameters: undefined,
    dtype: 'unknown',
    chatTemplate: undefined,
  }
  return {
    facts,
    takesKwargs: true,
    onlyWrites,
    async logLikelihoods(requests, { onAnswer, ...call } = {}) {
      const { rules, ...read } = reading()
      const split = await splitRequests(requests, read.tokenizer, rules)
      return askScores(split, { ...scoring, ...read, rules }, { ...call, onAnswer })
    },
    async rollingLogLikelihoods(texts, { onAnswer, isKnown, ...call } = {}) {
      const { rules, ...read } = reading()
      const encoded = await encodeByRules(texts, read.tokenizer, rules)
      const windows = encoded.flatMap((ids, text) =>
        rollingWindows(ids, rules.prefixToken, window - 1).map((one) => ({ text, one })),
      )
      const scores = await askScores(
        windows.map(({ one }) => one),
        { ...scoring, ...read, rules },
        { ...call, isKnown: isKnown === undefined ? undefined : (index) => isKnown(windows[index]?.text ?? -1) },
      )
      return texts.map((_, text) => {
        const sum = windows.reduce(
          (left, own, i) => left + (own.text === text ? (scores[i]?.logLikelihood ?? 0) : 0),
          0,
        )
        if (isKnown?.(text) !== true) onAnswer?.(text, sum)
        return sum
      })
    },
    async generate(prompts, given = {}) {
      if (chat && given.addSpecialTokens !== false)
        throw fault('usage.conflict', {
          place: `${kind} › ${model}`,
          what: 'takes only chats',
          hint: '--apply_chat_template',
        })
      const ids =
        !tokenized || tokenizer === undefined
          ? undefined
          : await encodeByRules(prompts, tokenizer, {
              prefixToken: 0,
              addSpecialTokens: options.addBosToken === true,
              everywhere: true,
            })
      return askTexts({ prompts, ids }, texting, given)
    },
    ...(chat && { chatPrompt: pythonTurns }),
    ...(tokenized &&
      tokenizer.hasChatTemplate && {
        chatPrompt: (turns, { continueLast = false } = {}) => chatPrompt(tokenizer, turns, { continueLast }),
      }),
  }
}

function whyNoScores({ kind, model, tokenizer }: ServerOptions): string | undefined {
  const { chat, openai } = serverKinds[kind]
  if (chat) return 'a chat returns no log-probabilities'
  if (tokenizer === undefined) return 'scores need a tokenizer'
  return openai && !scoringModels.includes(model) ? 'the model returns no log-probabilities of its prompt' : undefined
}
