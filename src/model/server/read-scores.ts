/** Log-probabilities out of an answer, believed only where they are of the tokens that were asked. */
import { fault, type Fault } from '#core'
import { fieldOf, isObject } from '#files/formats'
import { choicesOf } from './choices.ts'

/** Counts of one prompt: its tokens, and those of them that are context. */
export interface Wanted {
  readonly tokens: number
  readonly context: number
}

export interface ReadScore {
  readonly logLikelihood: number
  readonly isGreedy: boolean
  /** Log-probability of every token after the context. */
  readonly each: readonly number[]
}

/** Logarithms that servers round. */
const rounding = 1e-3

/**
 * As `parse_logprobs` of the reference reads them, [prompts]; the token that was written after each prompt is left out.
 * Throws `server.answer`.
 */
export function readScores(answer: unknown, wanted: readonly Wanted[], place: string): ReadScore[] {
  return choicesOf(answer, wanted.length, place).map((choice, i) =>
    readScore(choice, wanted[i] ?? { tokens: 0, context: 0 }, place),
  )
}

function readScore(choice: Readonly<Record<string, unknown>>, { tokens, context }: Wanted, place: string): ReadScore {
  const refuse = refusing(place)
  const logprobs = choice['logprobs']
  const [own, top] = isObject(logprobs) ? [fieldOf(logprobs, 'token_logprobs'), fieldOf(logprobs, 'top_logprobs')] : []
  if (!Array.isArray(own) || !Array.isArray(top))
    throw refuse('gives no log-probabilities', isObject(logprobs) ? Object.keys(logprobs) : logprobs)
  if (own.length <= 1 && tokens > 0)
    throw refuse('does not give the log-probabilities of the prompt (echo)', `${own.length} tokens`, `${tokens + 1}`)
  if (own.length !== tokens + 1 || top.length !== own.length)
    throw refuse(
      'gives log-probabilities of other tokens than it was asked',
      `${own.length} tokens and ${top.length} lists of the most probable`,
      `${tokens + 1}, the prompt and one more`,
      'another tokenizer than tokenizer=…, or one that puts a token in front',
    )
  let [logLikelihood, isGreedy] = [0, true]
  const each: number[] = []
  for (let i = context; i < tokens; i++) {
    const value: unknown = own[i]
    if (typeof value !== 'number' || !Number.isFinite(value))
      throw refuse(`gives no log-probability of token ${i + 1}`, value)
    if (value > rounding) throw refuse(`gives token ${i + 1} a log-probability above 0`, value)
    const best = mostProbable(top[i])
    if (best === undefined) throw refuse(`does not name the most probable token at ${i + 1}`, top[i])
    if (best < value - rounding)
      throw refuse(`names as the most probable token at ${i + 1} one that is less probable than the token there`, [
        best,
        value,
      ])
    logLikelihood += value
    isGreedy &&= value === best
    each.push(value)
  }
  return { logLikelihood, isGreedy, each }
}

function mostProbable(list: unknown): number | undefined {
  const values = isObject(list) ? Object.values(list).filter((value) => typeof value === 'number') : []
  return values.length === 0 ? undefined : Math.max(...values)
}

function refusing(place: string): (what: string, seen: unknown, wanted?: string, hint?: string) => Fault {
  return (what, seen, wanted, hint = 'this server cannot be asked for scores; tasks of generate_until may run') =>
    fault('server.answer', { place, what: `the server ${what}`, seen: seen ?? 'nothing', wanted, hint })
}
