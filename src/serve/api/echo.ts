/** Prompts given back with the log-probability of each token, as lm_eval asks for them to score continuations. */
import { fault, type TokenScores } from '#core'
import { tokensOf } from '#model/checkpoint'
import type { Tokenizer } from '#model/tokenizer'
import type { ServedModel } from './served.ts'

export interface EchoRequest {
  readonly prompts: readonly (string | readonly number[])[]
  /** Whether the most probable token of each place is named. */
  readonly hasTop: boolean
  /** Whether the most probable token that follows a prompt is written, too. */
  readonly hasNext: boolean
  readonly signal: AbortSignal
}

/** `choices` of OpenAI's legacy interface. Throws `usage.conflict` for an encoder with its decoder. */
export async function echoChoices(
  served: ServedModel,
  { prompts, hasTop, hasNext, signal }: EchoRequest,
): Promise<{ choices: object[]; tokens: number }> {
  const model = await served.writer()
  if (model.tokenScores === undefined)
    throw fault('usage.conflict', {
      place: served.name,
      what: 'an encoder reads the prompt: its tokens have no probabilities',
    })
  const asked = prompts.map((prompt) => (typeof prompt === 'string' ? prompt : Int32Array.from(prompt)))
  const scores = await served.inTurn(async () => model.tokenScores?.(asked, { signal }) ?? [])
  const tokenizer = await tokensOf(served.model).tokenizer()
  const choices = await Promise.all(
    scores.map(async (one, index) => {
      const next = hasNext ? [one.best.at(-1) ?? 0] : []
      const ids = [...one.ids, ...next]
      const words = await Promise.all(ids.map((id) => decodeOne(tokenizer, id)))
      const given = asked[index]
      const text =
        typeof given === 'string' ? given : await tokenizer.decode([...one.ids], { skipSpecialTokens: false })
      return {
        text: `${text}${hasNext ? (words.at(-1) ?? '') : ''}`,
        index,
        finish_reason: 'length',
        logprobs: {
          tokens: words,
          ...(await lists(one, ids.length, hasTop ? tokenizer : undefined)),
          text_offset: offsets(words),
        },
      }
    }),
  )
  return { choices, tokens: scores.reduce((sum, { ids }) => sum + ids.length, 0) }
}

async function lists(
  { ids, logProbabilities, best, bestLogProbabilities }: TokenScores,
  count: number,
  tokenizer: Tokenizer | undefined,
): Promise<{ token_logprobs: (number | null)[]; top_logprobs: (Record<string, number> | null)[] | null }> {
  const own = Array.from({ length: count }, (_, i) =>
    i === 0 ? null : ((i < ids.length ? logProbabilities[i] : bestLogProbabilities[i]) ?? null),
  )
  if (tokenizer === undefined) return { token_logprobs: own, top_logprobs: null }
  const top = await Promise.all(
    own.map(async (_, i) =>
      i === 0 ? null : { [await decodeOne(tokenizer, best[i] ?? 0)]: bestLogProbabilities[i] ?? NaN },
    ),
  )
  return { token_logprobs: own, top_logprobs: top }
}

function decodeOne(tokenizer: Tokenizer, id: number): Promise<string> {
  return tokenizer.decode([id], { skipSpecialTokens: false })
}

/** Places of the tokens in the text that they make together. */
function offsets(words: readonly string[]): number[] {
  let at = 0
  return words.map((word) => {
    const start = at
    at += word.length
    return start
  })
}
