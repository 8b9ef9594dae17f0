/** Measured seconds as figures: rates per round, percentiles of single calls, and how far they spread. */
import { quantile } from '#core'

/** One pass over all texts at one batch size. */
export interface Round {
  /** Seconds of each call, in order. */
  readonly calls: readonly number[]
  readonly texts: number
  /** Tokens that passed the model; 0 where nobody counts them. */
  readonly tokens: number
}

/** A figure over the rounds. */
export interface Spread {
  readonly median: number
  readonly low: number
  readonly high: number
}

/** A model at one batch size. */
export interface SizeMeasured {
  /** Texts per call. */
  readonly batch: number
  readonly textsPerSecond: Spread
  /** Null where tokens are not counted. */
  readonly tokensPerSecond: Spread | null
  /** Seconds of one call, over the calls of all rounds; percentiles are linear between the two nearest calls. */
  readonly latency: { readonly p50: number; readonly p95: number; readonly p99: number; readonly calls: number }
}

/** A model as it was opened in a process of its own. */
export interface Opened {
  readonly model: string
  readonly revision: string
  readonly representation: string
  /** Bytes of the files that were read: weights, tokenizer, configuration. */
  readonly fileBytes: number
  /** From opening to the first vector. */
  readonly loadSeconds: number
}

export interface Measured extends Opened {
  /** `model#representation`. */
  readonly name: string
  /** The largest resident set of the process. */
  readonly peakBytes: number
  readonly sizes: readonly SizeMeasured[]
}

/** Models timed in turn on the same texts. */
export interface Speed {
  readonly texts: { readonly name: string; readonly count: number }
  readonly rounds: number
  readonly threads: number
  readonly rows: readonly Measured[]
}

/** Median, least and greatest of at least one value. */
export function toSpread(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b)
  return { median: quantile(sorted, 0.5), low: sorted[0] ?? Number.NaN, high: sorted.at(-1) ?? Number.NaN }
}

/** The rounds at one batch size, at least one. */
export function sizeMeasured(batch: number, rounds: readonly Round[]): SizeMeasured {
  const calls = rounds.flatMap((round) => round.calls).toSorted((a, b) => a - b)
  const per = (count: (round: Round) => number): Spread =>
    toSpread(rounds.map((round) => count(round) / round.calls.reduce((sum, seconds) => sum + seconds, 0)))
  return {
    batch,
    textsPerSecond: per(({ texts }) => texts),
    tokensPerSecond: rounds.every(({ tokens }) => tokens > 0) ? per(({ tokens }) => tokens) : null,
    latency: {
      p50: quantile(calls, 0.5),
      p95: quantile(calls, 0.95),
      p99: quantile(calls, 0.99),
      calls: calls.length,
    },
  }
}

/** Texts per second at the fastest batch size, by the median. */
export function fastestRate(sizes: readonly SizeMeasured[]): number {
  return Math.max(...sizes.map(({ textsPerSecond }) => textsPerSecond.median))
}

/** Price of a million texts at the fastest batch size, in the currency of the price per hour of the machine. */
export function millionPrice(sizes: readonly SizeMeasured[], pricePerHour: number): number {
  return (1e6 / fastestRate(sizes) / 3600) * pricePerHour
}
