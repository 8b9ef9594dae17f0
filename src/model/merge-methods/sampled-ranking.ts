/** Borders among magnitudes, in one pass where a sample says where to look and in two others where it does not. */
import { type GuessedCuts, guessedCuts } from './guessed-cuts.ts'
import { type Cut, ranking } from './ranking.ts'

/** Passes over the same keys, in their order, and which of them there is a need for. */
export interface SampledRanking {
  readonly sample: GuessedCuts['sample']
  readonly passes: readonly ((keys: Uint32Array, length: number) => void)[]
  /** Asked before each pass. */
  readonly needs: (pass: number) => boolean
  readonly cuts: () => readonly Cut[]
}

/** Ranking of `count` keys below 2³¹; `places` says how many lie before each border. */
export function sampledRanking(places: readonly number[], count: number): SampledRanking {
  const [guess, order] = [guessedCuts(places, count), ranking(() => places)]
  return {
    sample: guess.sample,
    passes: [(keys, length) => (guess.isWorthIt() ? guess.count(keys, length) : undefined), order.high, order.low],
    needs: (pass) => (pass === 0 ? guess.isWorthIt() : guess.cuts() === undefined),
    cuts: () => guess.cuts() ?? order.cuts(),
  }
}
