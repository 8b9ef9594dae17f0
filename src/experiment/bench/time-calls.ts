/** One round: all texts in calls of one size, each call timed by the clock that is given. */
import type { Round } from './speed.ts'

/** Seconds since some moment. */
export type Clock = () => number

interface Calls {
  readonly texts: readonly string[]
  /** Texts per call; the last call may have fewer. */
  readonly batch: number
  readonly clock: Clock
}

/** `encode` returns the number of tokens that passed the model. Throws what it throws. */
export async function timeCalls(
  encode: (texts: readonly string[]) => Promise<number>,
  { texts, batch, clock }: Calls,
): Promise<Round> {
  const calls: number[] = []
  let tokens = 0
  for (let start = 0; start < texts.length; start += batch) {
    const part = texts.slice(start, start + batch)
    const begun = clock()
    tokens += await encode(part)
    calls.push(clock() - begun)
  }
  return { calls, texts: texts.length, tokens }
}
