/**
 * NumPy's `default_rng`, draw for draw (numpy/random/_generator.pyx): PCG64 with Lemire's bounded draws, except
 * shuffles, which mask and reject.
 */
import { fault } from '#core'
import { pcg64, product64 } from './pcg64.ts'
import { maskedInterval, type MutableList, shuffleWith, weightedChoice } from './random-state.ts'

export interface DefaultRng {
  /** The next 64-bit output. */
  word64(): bigint
  /** The next 32-bit draw. */
  word(): number
  /** `size` doubles in [0, 1). */
  random(size: number): Float64Array
  /** `size` integers in [low, high), high − low ≤ 2³². */
  integers(low: number, high: number, size: number): number[]
  /** In place; returns the list. */
  shuffle<List extends MutableList>(list: List): List
  /** 0 … n−1, or a copy of the list, shuffled. */
  permutation(of: number | ArrayLike<number>): Int32Array
  /** `size` indexes below n; with `p` (n weights summing to 1) or `replace: false`, not both. */
  choice(n: number, size: number, options?: { replace?: boolean; p?: ArrayLike<number> }): number[]
}

/**
 * A generator seeded with a non-negative integer, which draws as `numpy.random.default_rng(seed)` does.
 *
 * @example
 * ```ts
 * import { defaultRng } from 'strata-lm/linalg'
 *
 * console.log(defaultRng(42).integers(0, 100, 4)) // → [ 8, 77, 65, 43 ]
 * ```
 */
export function defaultRng(seed: number): DefaultRng {
  const bits = pcg64(seed)
  const random = (size: number): Float64Array => Float64Array.from({ length: size }, () => bits.double())
  const lemire = (max: number): number => lemireInterval(bits.word, max)
  const shuffle = <List extends MutableList>(list: List): List =>
    shuffleWith((max) => maskedInterval(bits.word, max), list)
  return {
    word: bits.word,
    word64() {
      const [high, low] = bits.pair()
      return (BigInt(high) << 32n) | BigInt(low)
    },
    random,
    integers(low, high, size) {
      if (!(high > low && high - low <= 2 ** 32))
        throw fault('internal', {
          place: 'defaultRng.integers',
          what: 'the range is empty or wider than 2³²',
          seen: [low, high],
        })
      return Array.from({ length: size }, () => low + lemire(high - low - 1))
    },
    shuffle,
    permutation: (of) =>
      shuffle(typeof of === 'number' ? Int32Array.from({ length: of }, (_, i) => i) : Int32Array.from(of)),
    choice(n, size, { replace = true, p } = {}) {
      if (p !== undefined) return weightedChoice(p, random(size))
      if (replace) return Array.from({ length: size }, () => lemire(n - 1))
      if (size > n)
        throw fault('internal', {
          place: 'defaultRng.choice',
          what: 'more draws than there are',
          seen: size,
          wanted: `≤ ${n}`,
        })
      return n > 10_000 && size > Math.floor(n / 50) ? tailShuffle(lemire, n, size) : floyd(lemire, n, size)
    },
  }
}

/** Lemire 2019: the high word of word · (max + 1), redrawn while the low word lies in the biased part. */
function lemireInterval(word: () => number, max: number): number {
  if (max === 0) return 0
  if (max === 0xffffffff) return word()
  const range = max + 1
  let [value, rest] = product64(word(), range)
  if (rest < range) {
    const threshold = (0xffffffff - max) % range
    while (rest < threshold) [value, rest] = product64(word(), range)
  }
  return value
}

function tailShuffle(interval: (max: number) => number, n: number, size: number): number[] {
  const all = Int32Array.from({ length: n }, (_, i) => i)
  shuffleWith(interval, all, Math.max(n - size, 1))
  return Array.from(all.subarray(n - size))
}

/** Floyd's sampling, then a shuffle of the picks. */
function floyd(interval: (max: number) => number, n: number, size: number): number[] {
  const picked = new Set<number>()
  for (let j = n - size; j < n; j++) {
    const value = interval(j)
    picked.add(picked.has(value) ? j : value)
  }
  return shuffleWith(interval, [...picked])
}
