/**
 * Weighted sums of bfloat16 tensors from stored bytes to stored bytes: eight elements at a time in WebAssembly, in
 * float64, rounded to float32 and then to bfloat16 – the same steps and the same bits as widening, summing and
 * narrowing one after the other, without the memory traffic between them.
 */
import {
  code,
  type Code,
  f32x4,
  f64x2,
  func,
  i16x8,
  i32,
  i32x4,
  i8x16,
  kernel,
  local,
  type Local,
  loop,
  v128,
} from '#platform/wasm'
import type { StoredMix } from '#model/merge-methods'

/** Elements of a block. */
const blockLength = 2 ** 13
const bytes = 2 * blockLength

const zero = i32x4.all(0)

const workspace = kernel(
  { operands: ['u8', 3 * bytes], out: ['u8', bytes], flags: ['i32', 4] },
  ({ operands, out, flags }) => {
    /**
     * `sum` of the elements 2p and 2p + 1 of the operands and of the coefficients, in float64, to bfloat16; an infinity
     * or NaN leaves a sign bit in the flags.
     */
    const mix = (count: number, sum: (pair: (k: number) => Code, first: Local, second: Local) => Code) =>
      func(['i32', 'i32', 'f64', 'f64'], (declare, [at, end, first, second]) => {
        const [x, y, z, one, other, sums, found] = [
          declare(),
          declare(),
          declare(),
          declare(),
          declare(),
          declare(),
          declare(),
        ]
        /** A bfloat16 is the upper half of a float32. */
        const pair =
          (p: number) =>
          (k: number): Code =>
            f64x2.promote_low_f32x4(
              i8x16.shuffle(
                zero,
                [x, y, z][k]!,
                0,
                0,
                16 + 4 * p,
                17 + 4 * p,
                0,
                0,
                18 + 4 * p,
                19 + 4 * p,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
              ),
            )
        const narrowed = (p: number): Code => f32x4.demote_f64x2_zero(sum(pair(p), one, other))
        const infinite = v128.not(i32x4.sub(v128.and(sums, i32x4.all(0x7fffffff)), i32x4.all(0x7f800000)))
        const toEven = v128.and(i32x4.shr_u(sums, i32.const(16)), i32x4.all(1))
        /** Two pairs as four float32, to nearest even in their upper halves. */
        const rounded = (p: number): Code =>
          code(
            local.set(sums, i32x4.shuffle(narrowed(p), narrowed(p + 1), 0, 1, 4, 5)),
            local.set(found, v128.or(found, infinite)),
            i32x4.add(i32x4.add(sums, i32x4.all(0x7fff)), toEven),
          )
        return code(
          local.set(one, f64x2.splat(first)),
          local.set(other, f64x2.splat(second)),
          local.set(found, zero),
          loop(
            at,
            16,
            end,
            ...[x, y, z].slice(0, count).map((operand, k) => local.set(operand, v128.load(at, operands + k * bytes))),
            v128.store(at, i16x8.shuffle(rounded(0), rounded(2), 1, 3, 5, 7, 9, 11, 13, 15), out),
          ),
          v128.store(i32.const(0), found, flags),
        )
      })
    const change = (pair: (k: number) => Code, k: number): Code => f64x2.sub(pair(k), pair(0))
    return {
      values: mix(2, (pair, first, second) => f64x2.add(f64x2.mul(pair(0), first), f64x2.mul(pair(1), second))),
      changes: mix(3, (pair, first, second) =>
        f64x2.add(f64x2.add(pair(0), f64x2.mul(first, change(pair, 1))), f64x2.mul(second, change(pair, 2))),
      ),
    }
  },
)

/**
 * Fills `out`; false where a sum is not a finite float32. Operands and `out` are little-endian bfloat16 of one length.
 */
export function sumBfloat16(
  { of, coefficients }: StoredMix,
  operands: readonly Uint8Array[],
  out: Uint8Array,
): boolean {
  const work = workspace()
  let finite = true
  for (let from = 0; from < out.length; from += bytes) {
    const size = Math.min(bytes, out.length - from)
    const padded = Math.ceil(size / 16) * 16
    operands.forEach((operand, k) => {
      work.operands.set(operand.subarray(from, from + size), k * bytes)
      work.operands.fill(0, k * bytes + size, k * bytes + padded)
    })
    work[of](0, padded, coefficients[0], coefficients[1])
    finite &&= work.flags.every((flag) => flag >= 0)
    out.set(work.out.subarray(0, size), from)
  }
  return finite
}
