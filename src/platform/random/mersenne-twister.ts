/**
 * MT19937 (Matsumoto & Nishimura 1998): the word source behind NumPy's RandomState and Python's random, which differ
 * only in how they seed and read it.
 */

const size = 624
const shift = 397

/** A stream of uniform 32-bit words; each call advances the state it closes over. */
export interface Words {
  (): number
  /** An independent stream that continues from here. */
  copy(): Words
}

/** The classic `init_genrand`: one 32-bit seed. */
export function mersenneTwister(seed: number): Words {
  return wordsFrom(fill(seed))
}

/** `init_by_array`: a seed of several 32-bit words, least significant first. */
export function mersenneTwisterFromArray(key: readonly number[]): Words {
  const state = fill(19650218)
  let [i, j] = [1, 0]
  const wrap = (): void => {
    if (i < size) return
    state[0] = state[size - 1]!
    i = 1
  }
  const mixed = (multiplier: number): number => {
    const before = state[i - 1]!
    return state[i]! ^ Math.imul(before ^ (before >>> 30), multiplier)
  }
  for (let k = Math.max(size, key.length); k > 0; k--) {
    state[i] = mixed(1664525) + key[j]! + j
    i++
    j = (j + 1) % key.length
    wrap()
  }
  for (let k = size - 1; k > 0; k--) {
    state[i] = mixed(1566083941) - i
    i++
    wrap()
  }
  state[0] = 0x80000000
  return wordsFrom(state)
}

function fill(seed: number): Uint32Array {
  const state = new Uint32Array(size)
  state[0] = seed
  for (let i = 1; i < size; i++) {
    const before = state[i - 1]!
    state[i] = Math.imul(before ^ (before >>> 30), 1812433253) + i
  }
  return state
}

function wordsFrom(state: Uint32Array, start = size): Words {
  let next = start
  const word = (): number => {
    if (next === size) {
      twist(state)
      next = 0
    }
    let value = state[next++]!
    value ^= value >>> 11
    value ^= (value << 7) & 0x9d2c5680
    value ^= (value << 15) & 0xefc60000
    return (value ^ (value >>> 18)) >>> 0
  }
  return Object.assign(word, { copy: () => wordsFrom(state.slice(), next) })
}

/** The next words; in parts, since a remainder for every word would take longer than the word. */
function twist(state: Uint32Array): void {
  for (let i = 0; i < size - shift; i++) state[i] = twisted(state[i]!, state[i + 1]!, state[i + shift]!)
  for (let i = size - shift; i < size - 1; i++) state[i] = twisted(state[i]!, state[i + 1]!, state[i + shift - size]!)
  state[size - 1] = twisted(state[size - 1]!, state[0]!, state[shift - 1]!)
}

function twisted(own: number, following: number, far: number): number {
  const joined = (own & 0x80000000) | (following & 0x7fffffff)
  return far ^ (joined >>> 1) ^ (-(joined & 1) & 0x9908b0df)
}

/** 53 random bits from two words, as both libraries make a double in [0, 1). */
export function doubleFrom(words: () => number): number {
  const [high, low] = [words() >>> 5, words() >>> 6]
  return (high * 67108864 + low) / 9007199254740992
}
