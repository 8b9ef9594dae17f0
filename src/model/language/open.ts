/**
 * A checkpoint as a language model: the three requests of lm-evaluation-harness, answered as its `hf` backend answers
 * them.
 */
import {
  type CallOptions,
  type ChatTurn,
  fault,
  fingerprint,
  type LanguageModel,
  type LanguageModelCall,
  type LanguageModelFacts,
  type NamedToken,
  type RepoFiles,
} from '#core'
import type { ModelSpec } from '#model/architectures'
import {
  chatPrompt,
  encodeByRules,
  rollingWindows,
  sortOutLong,
  splitApart,
  splitRequests,
  type SplitTokens,
  type Tokenizer,
  type TokenRules,
} from '#model/tokenizer'
import type { Graphs, ModelSettings } from '#model/passes'
import { generateTexts } from './generate.ts'
import { readGenerationConfig } from './generation-config.ts'
import type { ScoreOptions } from './run-packs.ts'
import { scoreAnswers } from './score-answers.ts'
import { scoreTokens } from './score-tokens.ts'
import { scoreEachToken } from './token-scores.ts'
import type { Source } from './source-rows.ts'

/** Words of lm-evaluation-harness's `model_args`. */
export interface LanguageModelOptions {
  /** Token in front of texts that have no context; default: the tokenizer's beginning of text, or otherwise its end. */
  readonly prefixTokenId?: number | undefined
  /** Whether texts get the tokenizer's special tokens; default: as the tokenizer does by itself. */
  readonly addBosToken?: boolean | undefined
  /** Tokens that context and continuation share; default: the model's positions, or the tokenizer's limit, or 2,048. */
  readonly maxLength?: number | undefined
  /** Name of one of the chat templates; default: its only one. */
  readonly chatTemplate?: string | undefined
  /** Required kind of model: a decoder alone, or one after an encoder; default: either. */
  readonly backend?: 'causal' | 'seq2seq' | 'default' | undefined
}

export interface LanguageModelParts {
  readonly name: string
  readonly revision: string
  /** Hash of weights, spec, tokenizer. */
  readonly identity: unknown
  readonly parameters: number
  readonly files: RepoFiles
  /** Spec of the part that writes. */
  readonly spec: ModelSpec
  readonly settings: ModelSettings
  readonly graphs: Graphs
  readonly tokenizer: Tokenizer
  readonly budget: number
  /** Where the model is an encoder and a decoder. */
  readonly source?: Source | undefined
}

const usualWindow = 2048

/** Throws `tokenizer.invalid` where there is no token to begin with, `usage.value`. */
export async function openLanguageModel(
  parts: LanguageModelParts,
  options: LanguageModelOptions = {},
): Promise<LanguageModel> {
  const { name, spec, graphs, tokenizer, budget, settings, source } = parts
  checkBackend(options.backend, parts)
  const special = (kind: string): NamedToken | undefined => {
    const text = tokenizer.specialTokens[kind]
    const id = text === undefined ? undefined : tokenizer.tokenId(text)
    return text === undefined || id === undefined ? undefined : { text, id }
  }
  const [beginOfText, endOfText, padding] = ['bos_token', 'eos_token', 'pad_token'].map(special)
  const prefixToken = options.prefixTokenId ?? beginOfText?.id ?? endOfText?.id
  if (prefixToken === undefined)
    throw fault('tokenizer.invalid', {
      place: tokenizer.name,
      what: 'the tokenizer has no token that begins a text',
      hint: 'name one with prefix_token_id',
    })
  if (prefixToken < 0 || prefixToken >= spec.vocabulary)
    throw fault('usage.value', {
      place: `${name} › prefix_token_id`,
      what: 'not in the vocabulary',
      seen: prefixToken,
      wanted: `0 … ${spec.vocabulary - 1}`,
    })
  const window = options.maxLength ?? spec.maxTokens ?? tokenizer.modelMaxLength ?? usualWindow
  if (spec.maxTokens !== undefined && spec.embedding.positions !== undefined && window > spec.maxTokens)
    throw fault('usage.value', {
      place: `${name} › max_length`,
      what: 'longer than the positions of the model',
      seen: window,
      wanted: `at most ${spec.maxTokens}`,
    })
  const generation = await readGenerationConfig(parts.files)
  // the file may name several ends
  const ends = [...new Set([...(endOfText === undefined ? [] : [endOfText.id]), ...generation.ends])]
  const common = { spec, graphs, window, budget, name }
  const score = async (split: readonly SplitTokens[], how: ScoreOptions): Promise<void> =>
    source === undefined ? scoreTokens(split, common, how) : scoreAnswers(split, { ...common, source }, how)
  const rules = (addSpecialTokens: boolean | undefined): TokenRules => ({
    prefixToken,
    addSpecialTokens: addSpecialTokens ?? options.addBosToken,
  })
  const facts: LanguageModelFacts = {
    name,
    revision: parts.revision,
    identity: fingerprint({
      model: parts.identity,
      prefixToken,
      window,
      ends,
      addBosToken: options.addBosToken,
      dtype: settings.dtype,
      engine: settings.engine,
      device: settings.device,
    }),
    parameters: parts.parameters,
    dtype: settings.dtype,
    device: settings.device,
    window,
    beginOfText,
    endOfText,
    padding,
    chatTemplate: undefined,
    unread: generation.unread,
  }
  return {
    facts,
    async logLikelihoods(requests, { addSpecialTokens, onAnswer, onProgress, signal, isKnown, onTooLong } = {}) {
      const all = await (source === undefined ? splitRequests : splitApart)(
        requests,
        tokenizer,
        rules(addSpecialTokens),
      )
      const answers: Awaited<ReturnType<LanguageModel['logLikelihoods']>> = []
      const advance = progressOf('score', requests.length, { isKnown, onProgress })
      const { split, places } = sortOutLong(all, window, onTooLong)
      await score(split, {
        signal,
        isKnown: isKnown === undefined ? undefined : (place) => isKnown(places[place] ?? -1),
        onScore: (place, score) => {
          const index = places[place] ?? -1
          answers[index] = score
          onAnswer?.(index, score)
          advance(index)
        },
      })
      return answers
    },
    async rollingLogLikelihoods(texts, { addSpecialTokens, onAnswer, onProgress, signal, isKnown } = {}) {
      const encoded = await encodeByRules(texts, tokenizer, rules(addSpecialTokens))
      const windows = encoded.flatMap((ids, text) =>
        rollingWindows(ids, prefixToken, window).map((one) => ({ text, one })),
      )
      const sums = texts.map(() => 0)
      const left = texts.map((_, text) => windows.filter((own) => own.text === text).length)
      const advance = progressOf('score', texts.length, { isKnown, onProgress })
      const finish = (text: number): void => {
        onAnswer?.(text, sums[text] ?? 0)
        advance(text)
      }
      left.forEach((count, text) => count === 0 && finish(text))
      await score(
        windows.map(({ one }) => one),
        {
          signal,
          isKnown: isKnown === undefined ? undefined : (index) => isKnown(windows[index]?.text ?? -1),
          onScore: (index, { logLikelihood }) => {
            const { text = 0 } = windows[index] ?? {}
            sums[text] = (sums[text] ?? 0) + logLikelihood
            left[text] = (left[text] ?? 0) - 1
            if (left[text] === 0) finish(text)
          },
        },
      )
      return sums
    },
    ...(source === undefined && {
      async tokenScores(texts: readonly (string | Int32Array)[], call: CallOptions = {}) {
        const words = texts.filter((text) => typeof text === 'string')
        const encoded = await encodeByRules(words, tokenizer, rules(undefined))
        let next = 0
        const ids = texts.map((text) => (typeof text === 'string' ? (encoded[next++] ?? new Int32Array(0)) : text))
        const strange = ids.flatMap((own) => [...own]).find((id) => id < 0 || id >= spec.vocabulary)
        if (strange !== undefined)
          throw fault('usage.value', {
            place: name,
            what: 'the model has no such token',
            seen: strange,
            wanted: `0 … ${spec.vocabulary - 1}`,
          })
        return scoreEachToken(ids, common, call)
      },
    }),
    async generate(prompts, given = {}) {
      const { addSpecialTokens, onAnswer } = given
      // the reference's tokenizer puts an encoder's special tokens around every prompt
      const promptRules =
        source === undefined ? rules(addSpecialTokens) : { prefixToken, addSpecialTokens, everywhere: true }
      const ids = (await encodeByRules(prompts, tokenizer, promptRules)).map((own) =>
        own.length > 0 ? own : firstToken(beginOfText, name),
      )
      const advance = progressOf('generate', prompts.length, given)
      return generateTexts(
        ids,
        { ...common, tokenizer, ends, source },
        {
          ...given,
          onAnswer: (index, answer) => {
            onAnswer?.(index, answer)
            advance(index)
          },
        },
      )
    },
    ...(tokenizer.hasChatTemplate && {
      chatPrompt: (turns: readonly ChatTurn[], { continueLast = false } = {}) =>
        chatPrompt(tokenizer, turns, { continueLast, template: options.chatTemplate }),
    }),
  }
}

/** Throws `usage.value` where the model is not what it is said to be. */
function checkBackend(
  backend: LanguageModelOptions['backend'] = 'default',
  { name, source }: LanguageModelParts,
): void {
  const own = source === undefined ? 'causal' : 'seq2seq'
  if (backend !== 'default' && backend !== own)
    throw fault('usage.value', {
      place: `${name} › backend`,
      what: 'not what the model is',
      seen: backend,
      wanted: own,
    })
}

/** Tokens of an empty prompt for a tokenizer that adds nothing in front of texts. */
function firstToken(beginOfText: NamedToken | undefined, name: string): Int32Array {
  if (beginOfText !== undefined) return Int32Array.of(beginOfText.id)
  throw fault('usage.value', {
    place: `${name} › prompt`,
    what: 'empty, and the model has no token that begins a text',
    hint: 'give it a first word',
  })
}

/** Counts requests as they are answered, from those on that had an answer before. */
function progressOf(
  stage: string,
  total: number,
  { isKnown = () => false, onProgress }: Pick<LanguageModelCall<unknown>, 'isKnown' | 'onProgress'>,
): (index: number) => void {
  let done = 0
  for (let i = 0; i < total; i++) if (isKnown(i)) done++
  return (index) => {
    if (!isKnown(index)) onProgress?.({ stage, done: ++done, total, unit: 'texts' })
  }
}
