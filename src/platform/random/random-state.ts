/** NumPy's legacy `RandomState`, draw for draw (numpy/random/mtrand.pyx and its legacy distributions). */
import { fault } from '#core'
import { doubleFrom, mersenneTwister } from './mersenne-twister.ts'

export interface RandomState {
  /** The next 32-bit word. */
  word(): number
  /** Uniform integer in 0 … max, both included: low bits under a mask, rejected while above. */
  interval(max: number): number
  /** In place, from the end; returns the list. */
  shuffle<List extends MutableList>(list: List): List
  /** 0 … n−1, shuffled. */
  permutation(n: number): Int32Array
  /** `size` integers in [low, high). */
  randint(low: number, high: number, size: number): number[]
  /** `size` doubles in [0, 1). */
  randomSample(size: number): Float64Array
  /** `size` indexes below n; `p`: n weights summing to 1; `replace: false`: no index twice. */
  choice(n: number, size: number, options?: { replace?: boolean; p?: ArrayLike<number> }): number[]
}

/** What can be shuffled in place. */
export interface MutableList {
  readonly length: number
  [index: number]: unknown
}

/**
 * A generator seeded with an integer of 0 … 2³² − 1, which draws as `numpy.random.RandomState(seed)` does.
 *
 * @example
 * ```ts
 * import { randomState } from 'strata-lm/linalg'
 *
 * console.log([...randomState(42).permutation(5)]) // → [ 1, 4, 2, 0, 3 ]
 * ```
 */
export function randomState(seed: number): RandomState {
  const word = mersenneTwister(seed)
  const interval = (max: number): number => maskedInterval(word, max)
  const shuffle = <List extends MutableList>(list: List): List => shuffleWith(interval, list)
  const permutation = (n: number): Int32Array => shuffle(Int32Array.from({ length: n }, (_, i) => i))
  const randomSample = (size: number): Float64Array => Float64Array.from({ length: size }, () => doubleFrom(word))
  return {
    word,
    interval,
    shuffle,
    permutation,
    randomSample,
    randint: (low, high, size) => Array.from({ length: size }, () => low + interval(high - low - 1)),
    choice(n, size, { replace = true, p } = {}) {
      if (p !== undefined && replace) return weightedChoice(p, randomSample(size))
      if (replace) return Array.from({ length: size }, () => interval(n - 1))
      if (size > n)
        throw fault('internal', {
          place: 'randomState.choice',
          what: 'more draws than there are',
          seen: size,
          wanted: `≤ ${n}`,
        })
      if (p !== undefined) return differentChoices(p, size, randomSample)
      return Array.from(permutation(n).subarray(0, size))
    },
  }
}

/** Rounds of weighted draws: what an earlier round has drawn weighs nothing, and of equal draws the first counts. */
function differentChoices(
  weights: ArrayLike<number>,
  size: number,
  randomSample: (size: number) => Float64Array,
): number[] {
  const left = Float64Array.from(weights)
  const found: number[] = []
  while (found.length < size) {
    const drawn = [...new Set(weightedChoice(left, randomSample(size - found.length)))]
    for (const index of drawn) left[index] = 0
    found.push(...drawn)
  }
  return found
}

/** Masked rejection on 32-bit words: uniform in 0 … max. No word is drawn when max is 0. */
export function maskedInterval(word: () => number, max: number): number {
  if (max === 0) return 0
  const mask = 0xffffffff >>> Math.clz32(max)
  let value = (word() & mask) >>> 0
  while (value > max) value = (word() & mask) >>> 0
  return value
}

/** Fisher–Yates from the end, with `below(i)` uniform in 0 … i. */
export function shuffleWith<List extends MutableList>(interval: (max: number) => number, list: List, last = 1): List {
  const items: MutableList = list
  for (let i = items.length - 1; i >= last; i--) {
    const j = interval(i)
    const kept = items[i]
    items[i] = items[j]
    items[j] = kept
  }
  return list
}

/** For each uniform u, the first index whose cumulative weight is above u. */
export function weightedChoice(weights: ArrayLike<number>, uniforms: ArrayLike<number>): number[] {
  const cumulative = new Float64Array(weights.length)
  let total = 0
  for (let i = 0; i < weights.length; i++) cumulative[i] = total += weights[i]!
  for (let i = 0; i < weights.length; i++) cumulative[i]! /= total
  return Array.from(uniforms, (uniform) => {
    let [low, high] = [0, cumulative.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (cumulative[middle]! <= uniform) low = middle + 1
      else high = middle
    }
    return low
  })
}
