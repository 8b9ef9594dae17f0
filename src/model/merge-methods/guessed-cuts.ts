/**
 * Borders among keys found in one pass: a sample says between which keys each will lie, and only there every key is
 * counted for itself. Whether it did lie there is known after the pass: a border is exact or none.
 */
import { countWindows, type KeyWindow } from './key-window.ts'
import type { Cut } from './ranking.ts'

export interface GuessedCuts {
  /** Keys below 2³¹ from all over the sequence, before the pass. */
  readonly sample: (keys: Uint32Array, length: number) => void
  /** Whether the sample shows enough to make the pass worthwhile; asked after sampling. */
  readonly isWorthIt: () => boolean
  /** The pass. */
  readonly count: (keys: Uint32Array, length: number) => void
  /** One per place; undefined where a border lies elsewhere, or nothing was counted. The same list every time. */
  readonly cuts: () => readonly Cut[] | undefined
}

/** Keys with the same upper half are taken together. */
const half = 2 ** 16
const halves = 2 ** 15
/** Windows of more halves take more memory than a pass is worth: 8 MiB. */
const mostHalves = 32
/**
 * Half a window in standard deviations of a sample's rank. Elements of a row are alike, so that a sample of runs says
 * less than as many single elements: to miss costs a pass, to look at a few more keys next to nothing.
 */
const deviations = 10

/** Counters of borders that were found, all of them 0. */
const free: Uint32Array[] = []

/** `places`: how many of the `count` keys lie before each border. */
export function guessedCuts(places: readonly number[], count: number): GuessedCuts {
  let [sampled, taken] = [new Uint32Array(0), 0]
  let windows: readonly (KeyWindow & { readonly place: number })[] | undefined
  let worthIt: boolean | undefined
  let [counted, cuts]: [boolean, readonly Cut[] | undefined] = [false, undefined]

  /** The upper half of the key that comes after `rank` keys of the sample. */
  const halfAt = (rank: number): number => {
    let before = 0
    for (let at = halves - 1; at > 0; at--) {
      before += sampled[at]!
      if (before > rank) return at
    }
    return 0
  }
  const windowOf = (place: number): [first: number, last: number] => {
    const share = place / count
    const margin = deviations * Math.sqrt(share * (1 - share) * taken) + 1
    return [halfAt(share * taken + margin), halfAt(share * taken - margin)]
  }
  const open = (): readonly (KeyWindow & { readonly place: number })[] =>
    places.map((place) => {
      const [first, last] = windowOf(place)
      const counters = free.pop() ?? new Uint32Array(mostHalves * half)
      return { place, first: first * half, counts: counters.subarray(0, (last - first + 1) * half), above: 0 }
    })
  return {
    sample(keys, length) {
      if (sampled.length === 0) sampled = new Uint32Array(halves)
      for (let i = 0; i < length; i++) sampled[keys[i]! >>> 16]!++
      taken += length
    },
    isWorthIt: () =>
      (worthIt ??= taken > 0 && places.every((place) => place > 0 && place <= count && isNarrow(windowOf(place)))),
    count: (keys, length) => countWindows(keys, length, (windows ??= open())),
    cuts() {
      if (windows === undefined || counted) return cuts
      counted = true
      const found = windows.map(cutIn)
      for (const { counts } of windows) {
        counts.fill(0)
        free.push(new Uint32Array(counts.buffer))
      }
      windows = undefined
      return (cuts = found.every((cut) => cut !== undefined) ? found : undefined)
    },
  }
}

function isNarrow([first, last]: readonly [number, number]): boolean {
  return last - first < mostHalves
}

function cutIn({ place, first, counts, above }: KeyWindow & { readonly place: number }): Cut | undefined {
  let before = above
  if (before >= place) return undefined
  for (let at = counts.length - 1; at >= 0; at--) {
    const equal = counts[at]!
    if (before + equal >= place) return { key: first + at, equals: place - before }
    before += equal
  }
  return undefined
}
