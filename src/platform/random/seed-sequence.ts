/**
 * NumPy's SeedSequence: an integer hashed into a pool of four words and out again, so that near seeds give unrelated
 * streams (numpy/random/bit_generator.pyx).
 */
import { fault } from '#core'

const poolSize = 4

/** `count` 32-bit words of the sequence with the given non-negative integer as entropy. */
export function seedSequence(entropy: number, count: number): Uint32Array {
  if (!Number.isSafeInteger(entropy) || entropy < 0)
    throw fault('internal', {
      place: 'seedSequence',
      what: 'the seed is not a non-negative safe integer',
      seen: entropy,
    })
  return draw(mix([entropy >>> 0, Math.floor(entropy / 2 ** 32)]), count)
}

function mix(entropy: readonly number[]): Uint32Array {
  let constant = 0x43b0d7e5
  const hash = (value: number): number => {
    let mixed = value ^ constant
    constant = Math.imul(constant, 0x931e8875)
    mixed = Math.imul(mixed, constant)
    return (mixed ^ (mixed >>> 16)) >>> 0
  }
  // missing words are hashed as zeros, which is what a high word of 0 gives too
  const pool = Uint32Array.from({ length: poolSize }, (_, i) => hash(entropy[i] ?? 0))
  for (let source = 0; source < poolSize; source++) {
    for (let target = 0; target < poolSize; target++) {
      if (source === target) continue
      const mixed = (Math.imul(0xca01f9dd, pool[target]!) - Math.imul(0x4973f715, hash(pool[source]!))) | 0
      pool[target] = mixed ^ (mixed >>> 16)
    }
  }
  return pool
}

function draw(pool: Uint32Array, count: number): Uint32Array {
  let constant = 0x8b51f9dd
  return Uint32Array.from({ length: count }, (_, i) => {
    let value = pool[i % poolSize]! ^ constant
    constant = Math.imul(constant, 0x58f38ded)
    value = Math.imul(value, constant)
    return value ^ (value >>> 16)
  })
}
