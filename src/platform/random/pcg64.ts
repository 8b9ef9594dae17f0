/**
 * PCG64, NumPy's default bit generator: a 128-bit linear congruential step and the XSL-RR output (O'Neill 2014), seeded
 * through SeedSequence.
 */
import { seedSequence } from './seed-sequence.ts'

export interface Pcg64 {
  /** The next 64-bit output as [high, low] words. */
  pair(): readonly [high: number, low: number]
  /** 32-bit draws: the low half first, the high half kept for the next call. */
  word: () => number
  /** A double in [0, 1) from the top 53 bits. */
  double(): number
}

// 0x2360ed051fc65da44385df649fccf645, least significant word first
const multiplier = Uint32Array.of(0x9fccf645, 0x4385df64, 0x1fc65da4, 0x2360ed05)

/** A fresh generator for a non-negative integer seed, like `numpy.random.PCG64(seed)`. */
export function pcg64(seed: number): Pcg64 {
  const words = seedSequence(seed, 8)
  // each 128-bit value is read as two 64-bit words, the high one first; a 64-bit word's low half comes first
  const state = Uint32Array.of(words[2]!, words[3]!, words[0]!, words[1]!)
  const increment = Uint32Array.of(words[6]!, words[7]!, words[4]!, words[5]!)
  for (let i = 3; i > 0; i--) increment[i] = (increment[i]! << 1) | (increment[i - 1]! >>> 31)
  increment[0] = (increment[0]! << 1) | 1
  const product = new Uint32Array(4)

  const step = (): void => {
    multiply(state, multiplier, product)
    add(product, increment, state)
  }
  const start = state.slice()
  state.set(increment)
  add(state, start, state)
  step()

  let spare: number | undefined
  const pair = (): readonly [number, number] => {
    step()
    const low = (state[2]! ^ state[0]!) >>> 0
    const high = (state[3]! ^ state[1]!) >>> 0
    return rotateRight(high, low, state[3]! >>> 26)
  }
  return {
    pair,
    word() {
      if (spare !== undefined) {
        const kept = spare
        spare = undefined
        return kept
      }
      const [high, low] = pair()
      spare = high
      return low
    },
    double() {
      const [high, low] = pair()
      return (high * 2097152 + (low >>> 11)) / 9007199254740992
    },
  }
}

/** out = a · b mod 2¹²⁸, by 16-bit halves so that every partial sum stays exact. */
function multiply(a: Uint32Array, b: Uint32Array, out: Uint32Array): void {
  out.fill(0)
  for (let i = 0; i < 4; i++) {
    let carry = 0
    for (let j = 0; i + j < 4; j++) {
      const [high, low] = product64(a[i]!, b[j]!)
      const sum = out[i + j]! + low + carry
      out[i + j] = sum
      carry = high + Math.floor(sum / 4294967296)
    }
  }
}

/** The 64-bit product of two words as [high, low]. */
export function product64(a: number, b: number): readonly [high: number, low: number] {
  const [aHigh, aLow, bHigh, bLow] = [a >>> 16, a & 0xffff, b >>> 16, b & 0xffff]
  const middle = aHigh * bLow + Math.floor((aLow * bLow) / 65536)
  const cross = aLow * bHigh + (middle % 65536)
  const high = aHigh * bHigh + Math.floor(middle / 65536) + Math.floor(cross / 65536)
  return [high, Math.imul(a, b) >>> 0]
}

function add(a: Uint32Array, b: Uint32Array, out: Uint32Array): void {
  let carry = 0
  for (let i = 0; i < 4; i++) {
    const sum = a[i]! + b[i]! + carry
    out[i] = sum
    carry = sum > 0xffffffff ? 1 : 0
  }
}

function rotateRight(high: number, low: number, by: number): readonly [number, number] {
  const [h, l] = by >= 32 ? [low, high] : [high, low]
  const bits = by & 31
  if (bits === 0) return [h, l]
  return [((h >>> bits) | (l << (32 - bits))) >>> 0, ((l >>> bits) | (h << (32 - bits))) >>> 0]
}
