/**
 * Which elements stay, a bit each: made of random words and applied to changes, in WebAssembly vectors and without a
 * branch.
 */
import { code, type Code, f64x2, func, i16x8, i32, i32x4, i8x16, kernel, local, loop, v128 } from '#platform/wasm'

/** Elements of a chunk, and bits of one word of a mask. */
const chunkLength = 2 ** 11
const wordBits = 32

const workspace = kernel(
  {
    values: ['f64', chunkLength],
    words: ['u32', chunkLength],
    bits: ['u32', chunkLength / wordBits],
    factors: ['f64', 4 * 16],
  },
  ({ values, words, bits, factors }) => ({
    /** Bits of the words below a limit: sixteen words to as many bytes, of which the sign bits are taken. */
    below: func(['i32', 'i32', 'i32'], (_, [at, end, limit]) => {
      const fourBelow = (offset: number): Code => i32x4.lt_u(v128.load(at, words + offset), i32x4.splat(limit))
      const eightBelow = (offset: number): Code => i16x8.narrow_i32x4_s(fourBelow(offset), fourBelow(offset + 16))
      return loop(
        at,
        64,
        end,
        i32.store16(
          i32.shr_u(at, i32.const(5)),
          i8x16.bitmask(i8x16.narrow_i16x8_s(eightBelow(0), eightBelow(32))),
          bits,
        ),
      )
    }),
    apply: func(['i32', 'i32'], (declare, [at, end]) => {
      const four = declare('i32')
      const byteOfBits = i32.load8_u(i32.shr_u(at, i32.const(6)), bits)
      // the factors of four bits take 32 bytes
      const times = (offset: number): Code =>
        v128.store(
          at,
          f64x2.mul(v128.load(at, values + offset), v128.load(four, factors + (offset % 32))),
          values + offset,
        )
      return loop(
        at,
        64,
        end,
        local.set(four, i32.shl(i32.and(byteOfBits, i32.const(15)), i32.const(5))),
        code(times(0), times(16)),
        local.set(four, i32.shl(i32.shr_u(byteOfBits, i32.const(4)), i32.const(5))),
        code(times(32), times(48)),
      )
    }),
  }),
)

/** Words of a mask for `length` elements. */
export const maskWords = (length: number): number => Math.ceil(length / wordBits)

/** Bit i is 1 where word i is below `limit` < 2³². Bits beyond the length mean nothing. */
export function maskBelow(drawn: Uint32Array, length: number, limit: number, bits: Uint32Array): void {
  const { below, words, bits: made } = workspace()
  for (let done = 0; done < length; done += chunkLength) {
    const size = Math.min(chunkLength, length - done)
    words.set(drawn.subarray(done, done + size))
    below(0, 4 * size, limit)
    bits.set(made.subarray(0, maskWords(size)), done / wordBits)
  }
}

/** Multiplies kept elements by `factor` and the others by 0 · `factor`. */
export function applyMask(delta: Float64Array, length: number, bits: Uint32Array, factor: number): void {
  const { apply, values, bits: own, factors } = workspace()
  for (let i = 0; i < factors.length; i++) factors[i] = ((i >>> (2 + (i & 3))) & 1) * factor
  for (let done = 0; done < length; done += chunkLength) {
    const size = Math.min(chunkLength, length - done)
    values.set(delta.subarray(done, done + size))
    own.set(bits.subarray(done / wordBits, done / wordBits + maskWords(size)))
    apply(0, 8 * size)
    delta.set(size === chunkLength ? values : values.subarray(0, size), done)
  }
}
