/**
 * The element at a given place of a sequence too long to sort, by counting keys twice: by their upper 16 bits, then by
 * the lower 16 of those that matter.
 */
import { countHalves } from './key-halves.ts'

/**
 * A border in the descending order of keys, equal keys in order of appearance: before it lie all greater keys and the
 * first `equals` that are the same.
 */
export interface Cut {
  readonly key: number
  readonly equals: number
}

export interface Ranking {
  /** First pass. */
  readonly high: (keys: Uint32Array, length: number) => void
  /** Second pass, over the same keys. */
  readonly low: (keys: Uint32Array, length: number) => void
  /** One per place, after both passes. */
  readonly cuts: () => readonly Cut[]
}

const halves = 2 ** 16

interface Search {
  readonly half: number
  /** Elements wanted of this half. */
  readonly wanted: number
  readonly counts: Float64Array
}

/**
 * `places` – asked between the passes – says how many elements lie before each border: 0 for none, all of them or more
 * for no border. Keys are unsigned.
 */
export function ranking(places: () => readonly number[]): Ranking {
  const upper = new Uint32Array(halves)
  let searches: readonly (Search | Cut)[] | undefined
  return {
    high(keys, length) {
      for (let i = 0; i < length; i++) upper[keys[i]! >>> 16]!++
    },
    low(keys, length) {
      searches ??= places().map((place) => halfOf(place, upper))
      countHalves(
        keys,
        length,
        searches.filter((search) => 'counts' in search),
      )
    },
    cuts: () => (searches ?? []).map((search) => ('counts' in search ? cutOf(search) : search)),
  }
}

function halfOf(place: number, upper: Uint32Array): Search | Cut {
  if (!(place > 0)) return { key: 2 ** 32, equals: 0 }
  let before = 0
  for (let half = halves - 1; half >= 0; half--) {
    const count = upper[half]!
    if (before + count >= place) return { half, wanted: place - before, counts: new Float64Array(halves) }
    before += count
  }
  return { key: -1, equals: 0 }
}

function cutOf({ half, wanted, counts }: Search): Cut {
  let before = 0
  for (let rest = halves - 1; ; rest--) {
    const count = counts[rest]!
    if (before + count >= wanted) return { key: half * halves + rest, equals: wanted - before }
    before += count
  }
}

/**
 * Scratch in which float32 values are read as bits. Without their sign bit these order as the magnitudes do; NaN comes
 * out greatest.
 */
export interface KeyScratch {
  readonly values: Float32Array
  readonly bits: Uint32Array
}

export function keyScratch(length: number): KeyScratch {
  const values = new Float32Array(length)
  return { values, bits: new Uint32Array(values.buffer) }
}

/** Clears the sign bits. */
export function magnitudes(bits: Uint32Array, length: number): void {
  for (let i = 0; i < length; i++) bits[i]! &= 0x7fffffff
}

/** The float32 with these bits. */
export function valueOf(key: number): number {
  const { values, bits } = keyScratch(1)
  bits[0] = key
  return values[0]!
}
