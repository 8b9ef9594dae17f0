/**
 * Loops over bfloat16 and float32 bits in WebAssembly, eight elements at a time: copies into its memory and out again
 * cost next to nothing compared with a loop over single elements.
 */
import { code, type Code, func, i16x8, i32, i32x4, kernel, local, loop, v128 } from '#platform/wasm'

/** Elements of a block; shorter arrays are not worth the way. */
const blockLength = 2 ** 13
const shortest = 64

const zero = i32x4.all(0)
const [magnitude, infinity] = [i32x4.all(0x7fffffff), i32x4.all(0x7f800000)]

// Both parameters count bytes: of the short array where there are two.
const workspace = kernel(
  { short: ['u16', blockLength], long: ['i32', blockLength], flags: ['i32', 4] },
  ({ short, long, flags }) => ({
    widen: func(['i32', 'i32'], (declare, [at, end]) => {
      const [x, twice] = [declare(), i32.shl(at, i32.const(1))]
      // lanes in this order are one instruction
      const [lower, upper] = [
        i16x8.shuffle(zero, x, 0, 8, 1, 9, 2, 10, 3, 11),
        i16x8.shuffle(zero, x, 4, 12, 5, 13, 6, 14, 7, 15),
      ]
      return loop(
        at,
        16,
        end,
        local.set(x, v128.load(at, short)),
        v128.store(twice, lower, long),
        v128.store(twice, upper, long + 16),
      )
    }),
    narrow: func(['i32', 'i32'], (declare, [at, end]) => {
      const x = declare()
      /** To nearest even, in the upper halves; a NaN keeps the upper bits of its payload, or gets one. */
      const rounded = (offset: number): Code => {
        const quiet = v128.and(i32x4.eq(v128.and(x, i32x4.all(0x7f0000)), zero), i32x4.all(0x400000))
        const toEven = v128.and(i32x4.shr_u(x, i32.const(16)), i32x4.all(1))
        const isNaN = i32x4.gt_s(v128.and(x, magnitude), infinity)
        return code(
          local.set(x, v128.load(i32.shl(at, i32.const(1)), long + offset)),
          v128.bitselect(v128.or(x, quiet), i32x4.add(i32x4.add(x, i32x4.all(0x7fff)), toEven), isNaN),
        )
      }
      return loop(at, 16, end, v128.store(at, i16x8.shuffle(rounded(0), rounded(16), 1, 3, 5, 7, 9, 11, 13, 15), short))
    }),
    finite: func(['i32', 'i32'], (declare, [at, end]) => {
      const found = declare()
      // the sign bit of a flag is set by infinities and NaN
      const infinite = v128.not(i32x4.sub(v128.and(v128.load(at, long), magnitude), infinity))
      return code(loop(at, 16, end, local.set(found, v128.or(found, infinite))), v128.store(i32.const(0), found, flags))
    }),
  }),
)

/** Bits of bfloat16 to bits of float32. */
export function widenBf16(source: Uint16Array, bits: Int32Array): void {
  if (source.length < shortest) {
    for (let i = 0; i < source.length; i++) bits[i] = source[i]! << 16
    return
  }
  const { widen, short, long } = workspace()
  for (let from = 0; from < source.length; from += blockLength) {
    const size = Math.min(blockLength, source.length - from)
    short.set(source.subarray(from, from + size))
    widen(0, padded(size, 8) * 2)
    bits.set(size === blockLength ? long : long.subarray(0, size), from)
  }
}

/** Bits of float32 to bits of bfloat16, to nearest even; a NaN keeps the upper bits of its payload, or gets one. */
export function narrowBf16(bits: Int32Array, out: Uint16Array): void {
  if (bits.length < shortest) {
    for (let i = 0; i < bits.length; i++) out[i] = narrowWord(bits[i]!)
    return
  }
  const { narrow, short, long } = workspace()
  for (let from = 0; from < bits.length; from += blockLength) {
    const size = Math.min(blockLength, bits.length - from)
    long.set(bits.subarray(from, from + size))
    narrow(0, padded(size, 8) * 2)
    out.set(size === blockLength ? short : short.subarray(0, size), from)
  }
}

function narrowWord(word: number): number {
  if ((word & 0x7fffffff) > 0x7f800000) return (word >>> 16) | ((word & 0x7f0000) === 0 ? 0x40 : 0)
  return ((word + 0x7fff + ((word >>> 16) & 1)) | 0) >>> 16
}

/** Whether no value is infinite or NaN. */
export function allFinite(values: Float32Array): boolean {
  const bits = new Int32Array(values.buffer, values.byteOffset, values.length)
  const { finite, long, flags } = workspace()
  for (let from = 0; from < bits.length; from += blockLength) {
    const size = Math.min(blockLength, bits.length - from)
    long.set(bits.subarray(from, from + size))
    long.fill(0, size, padded(size, 4))
    finite(0, padded(size, 4) * 4)
    if (flags.some((flag) => flag < 0)) return false
  }
  return true
}

function padded(size: number, of: number): number {
  return Math.ceil(size / of) * of
}
