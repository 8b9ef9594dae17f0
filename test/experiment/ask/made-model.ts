/** A language model that is a rule: it keeps what it is asked, and answers by the text alone. */
import type { Continuation, GenerateOptions, LanguageModel } from '#core'

export interface MadeModel extends LanguageModel {
  readonly asked: Continuation[]
  readonly prompts: string[]
  readonly options: GenerateOptions[]
}

export interface Rules {
  /** Default: minus its length in characters. */
  readonly score?: (asked: Continuation) => number
  /** Default: nothing. */
  readonly write?: (prompt: string) => string
  readonly identity?: string
  readonly dtype?: string
}

export function makeModel({
  score = ({ continuation }) => -continuation.length,
  write = () => '',
  identity = 'one',
  dtype = 'f32',
}: Rules = {}): MadeModel {
  const [asked, prompts, options]: [Continuation[], string[], GenerateOptions[]] = [[], [], []]
  return {
    asked,
    prompts,
    options,
    facts: {
      name: 'org/made',
      revision: 'main',
      identity,
      parameters: undefined,
      dtype,
      window: 512,
      beginOfText: undefined,
      endOfText: undefined,
      padding: undefined,
      chatTemplate: undefined,
    },
    logLikelihoods(requests, { onAnswer } = {}) {
      asked.push(...requests)
      const found = requests.map((one) => ({ logLikelihood: score(one), isGreedy: false, droppedTokens: 0 }))
      found.forEach((one, i) => onAnswer?.(i, one))
      return Promise.resolve(found)
    },
    rollingLogLikelihoods(texts, { onAnswer } = {}) {
      const found = texts.map((text) => score({ context: '', continuation: text }))
      found.forEach((one, i) => onAnswer?.(i, one))
      return Promise.resolve(found)
    },
    generate(all, own = {}) {
      prompts.push(...all)
      options.push(own)
      const found = all.map((prompt) => ({ text: write(prompt), end: 'stop' as const, droppedTokens: 0 }))
      found.forEach((one, i) => own.onAnswer?.(i, one))
      return Promise.resolve(found)
    },
  }
}
