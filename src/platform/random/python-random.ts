/** Python's `random.Random`, draw for draw (Lib/random.py, CPython 3.12). */
import { fault } from '#core'
import { doubleFrom, mersenneTwisterFromArray, type Words } from './mersenne-twister.ts'
import type { MutableList } from './random-state.ts'

export interface PythonRandom {
  /** `getrandbits(32)`. */
  word(): number
  /** A double in [0, 1). */
  random(): number
  /** Uniform integer in 0 … n−1, n ≤ 2³²: high bits of a word, redrawn while not below n. */
  below(n: number): number
  /** `k` different numbers of 0 … n−1, as `sample(range(n), k)`. */
  sample(n: number, k: number): number[]
  /** `k` numbers of 0 … n−1 with replacement, as `choices(range(n), weights, k=k)`. */
  choices(n: number, k: number, weights?: ArrayLike<number>): number[]
  /** In place; returns the list. */
  shuffle<List extends MutableList>(list: List): List
  /** An independent generator that continues from here. */
  copy(): PythonRandom
}

/**
 * A generator seeded with an integer, which draws as Python's `random.Random(seed)` does; the sign of the seed is
 * ignored, as there. Throws `internal` for a seed that is not a safe integer.
 *
 * @example
 * ```ts
 * import { pythonRandom } from 'strata-lm/linalg'
 *
 * console.log(pythonRandom(42).sample(10, 3)) // → [ 1, 0, 4 ]
 * ```
 */
export function pythonRandom(seed: number): PythonRandom {
  if (!Number.isSafeInteger(seed))
    throw fault('internal', { place: 'pythonRandom', what: 'the seed is not a safe integer', seen: seed })
  const magnitude = Math.abs(seed)
  const high = Math.floor(magnitude / 2 ** 32)
  return generatorOf(mersenneTwisterFromArray(high === 0 ? [magnitude >>> 0] : [magnitude >>> 0, high]))
}

function generatorOf(word: Words): PythonRandom {
  const random = (): number => doubleFrom(word)

  const below = (n: number): number => {
    if (!(Number.isInteger(n) && n > 0 && n <= 2 ** 32))
      throw fault('internal', { place: 'pythonRandom.below', what: 'the bound is not in 1 … 2³²', seen: n })
    // bit_length(2³²) is 33: Python then draws two words, which no caller here needs beyond this one case
    if (n === 2 ** 32) return wideBelow(word)
    const spare = Math.clz32(n)
    let value = word() >>> spare
    while (value >= n) value = word() >>> spare
    return value
  }

  return {
    word,
    random,
    below,
    sample(n, k) {
      if (k < 0 || k > n)
        throw fault('internal', {
          place: 'pythonRandom.sample',
          what: 'sample larger than what there is',
          seen: k,
          wanted: `0 … ${n}`,
        })
      return n <= poolLimit(k) ? samplePool(below, n, k) : sampleSet(below, n, k)
    },
    choices(n, k, weights) {
      if (weights === undefined) return Array.from({ length: k }, () => Math.floor(random() * n))
      const cumulative = Float64Array.from(weights)
      for (let i = 1; i < n; i++) cumulative[i]! += cumulative[i - 1]!
      const total = cumulative[n - 1]!
      return Array.from({ length: k }, () => bisectRight(cumulative, random() * total, n - 1))
    },
    shuffle(list) {
      const items: MutableList = list
      for (let i = items.length - 1; i > 0; i--) {
        const j = below(i + 1)
        const kept = items[i]
        items[i] = items[j]
        items[j] = kept
      }
      return list
    },
    copy: () => generatorOf(word.copy()),
  }
}

/** 33 bits as getrandbits takes them: a whole word, then the top bit of the next one above it. */
function wideBelow(word: () => number): number {
  for (;;) {
    const low = word()
    if (word() >>> 31 === 0) return low
  }
}

/** Largest population for which Python copies it into a pool instead of remembering what it drew. */
function poolLimit(k: number): number {
  return k > 5 ? 21 + 4 ** Math.ceil(Math.log(k * 3) / Math.log(4)) : 21
}

function samplePool(below: (n: number) => number, n: number, k: number): number[] {
  const pool = Array.from({ length: n }, (_, i) => i)
  return Array.from({ length: k }, (_, i) => {
    const j = below(n - i)
    const drawn = pool[j]!
    pool[j] = pool[n - i - 1]!
    return drawn
  })
}

function sampleSet(below: (n: number) => number, n: number, k: number): number[] {
  const drawn = new Set<number>()
  while (drawn.size < k) drawn.add(below(n))
  return [...drawn]
}

function bisectRight(sorted: Float64Array, value: number, high: number): number {
  let low = 0
  let end = high
  while (low < end) {
    const middle = (low + end) >>> 1
    if (value < sorted[middle]!) end = middle
    else low = middle + 1
  }
  return low
}
