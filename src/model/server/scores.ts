/** Scores from a server that has shown that it returns them. */
import { type ContinuationScore, fault, type LanguageModelCall } from '#core'
import { encodeByRules, type SplitTokens, type Tokenizer, type TokenRules } from '#model/tokenizer'
import { sendBatches } from './batches.ts'
import { scoreBody, type Asking } from './bodies.ts'
import { type Line, placeOf, post } from './post.ts'
import { type ReadScore, readScores } from './read-scores.ts'

export interface Scoring {
  readonly asking: Pick<Asking, 'model' | 'seed'>
  readonly line: Line
  readonly concurrent: number
  readonly batchSize: number
  /** Tokens of context and continuation. */
  readonly window: number
  /** True when ids are sent, false when texts are. */
  readonly tokenized: boolean
}

interface Read extends Scoring {
  readonly tokenizer: Tokenizer
  readonly rules: TokenRules
}

interface Input {
  readonly ids: readonly number[]
  /** Tokens of it that are context. */
  readonly context: number
  readonly dropped: number
}

/**
 * Throws `server.answer` before the first score where the server's log-probabilities are none, and what `post` throws.
 */
export async function askScores(
  requests: readonly SplitTokens[],
  read: Read,
  call: LanguageModelCall<ContinuationScore>,
): Promise<ContinuationScore[]> {
  const { line, window, concurrent, batchSize } = read
  const inputs = requests.map(({ context, continuation }, i): Input => {
    const ids = [...context, ...continuation]
    const dropped = Math.max(0, ids.length - window)
    if (dropped >= context.length)
      throw fault('usage.value', {
        place: placeOf(line),
        what: `the continuation of request ${i + 1} leaves no room for its context`,
        seen: continuation.length,
        wanted: `below ${window} tokens (max_length)`,
      })
    return { ids: ids.slice(dropped), context: context.length - dropped, dropped }
  })
  const order = requests.map((_, i) => i)
  if (order.every((i) => call.isKnown?.(i) === true)) return []
  await probe(read, call.signal)
  const lists = requests.map(({ context, continuation }) => [...context, ...continuation])
  order.sort((a, b) => byLength(lists[a] ?? [], lists[b] ?? []))
  return sendBatches(
    order,
    async (indices, signal) => {
      const own = indices.flatMap((i) => inputs[i] ?? [])
      const scores = await scoresOf(own, read, signal)
      return scores.map(({ logLikelihood, isGreedy }, i) => ({
        logLikelihood,
        isGreedy,
        droppedTokens: own[i]?.dropped ?? 0,
      }))
    },
    { ...call, concurrent, batchSize, stage: 'score' },
  )
}

/** Longest first, then by ids, as the reference orders them. */
function byLength(a: readonly number[], b: readonly number[]): number {
  if (a.length !== b.length) return b.length - a.length
  const at = a.findIndex((id, i) => id !== b[i])
  return at < 0 ? 0 : (a[at] ?? 0) - (b[at] ?? 0)
}

async function scoresOf(
  inputs: readonly Input[],
  { asking, line, batchSize, tokenized, tokenizer }: Read,
  signal: AbortSignal | undefined,
): Promise<ReadScore[]> {
  const ids = inputs.map((input) => input.ids)
  const texts = tokenized
    ? []
    : await Promise.all(ids.map(async (own) => tokenizer.decode(own, { skipSpecialTokens: false })))
  const written = batchSize > 1 ? texts : (texts[0] ?? '')
  const prompt = tokenized ? ids : written
  const answer = await post(line, scoreBody(prompt, asking), signal)
  return readScores(
    answer,
    inputs.map((input) => ({ tokens: input.ids.length, context: input.context })),
    placeOf(line),
  )
}

/** What any model finds of different probability. */
const probes = ['The sky is blue today.', 'Three dogs sat on a mat.']

/** Servers that have passed. */
const trusted = new WeakSet<Line>()

/**
 * Two short texts, once per server. `readScores` catches scores that are missing or belong to other tokens; this
 * catches a server that returns the same scores for every prompt, as those do that score their own text, or nothing.
 */
async function probe(read: Read, signal: AbortSignal | undefined): Promise<void> {
  const { line, tokenizer, rules } = read
  if (trusted.has(line)) return
  const encoded = await encodeByRules(probes, tokenizer, rules)
  const inputs = encoded.map((ids): Input => ({ ids: [...ids], context: 1, dropped: 0 }))
  const scores =
    read.batchSize > 1
      ? await scoresOf(inputs, read, signal)
      : (await Promise.all(inputs.map(async (input) => scoresOf([input], read, signal)))).flat()
  const [one = [], other = []] = scores.map(({ each }) => each)
  const shared = Math.min(one.length, other.length)
  if (shared > 1 && one.slice(0, shared).every((value, i) => value === other[i]))
    throw fault('server.answer', {
      place: placeOf(line),
      what: 'the server returns the same log-probabilities for every prompt',
      seen: one.slice(0, 4),
      hint: 'this server cannot be asked for scores; tasks of generate_until may run',
    })
  trusted.add(line)
}
