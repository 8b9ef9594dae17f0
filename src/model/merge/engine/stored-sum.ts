/**
 * Weighted sums of bfloat16 and float32 tensors from stored bytes to stored bytes: several elements at a time in
 * WebAssembly, in float64, rounded to float32 and then to the stored type – the same steps and the same bits as
 * widening, summing and narrowing one after the other, without the memory traffic between them.
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
  kernel,
  local,
  type Local,
  loop,
  v128,
} from '#platform/wasm'
import type { StoredMix } from '#model/merge-methods'

/** Types that sums are made of as they are stored. */
export const summedTypes = ['BF16', 'F32'] as const
export type SummedType = (typeof summedTypes)[number]

/** Bytes of a block of one operand. */
const bytes = 2 ** 14

const zero = i32x4.all(0)
const [half, none] = [f64x2.all(0.5), f64x2.all(0)]

/** Two float64 values of each operand. */
type Pair = (k: number) => Code
type Sum = (pair: Pair, first: Local, second: Local) => Code

const change = (pair: Pair, k: number): Code => f64x2.sub(pair(k), pair(0))
/** By the number of operands; additions in the order in which methods make them, from 0 where they begin with it. */
const sumsOf: Readonly<Record<StoredMix['of'], readonly [operands: number, sum: Sum]>> = {
  values: [2, (pair, first, second) => f64x2.add(f64x2.mul(pair(0), first), f64x2.mul(pair(1), second))],
  changes: [
    3,
    (pair, first, second) =>
      f64x2.add(f64x2.add(pair(0), f64x2.mul(first, change(pair, 1))), f64x2.mul(second, change(pair, 2))),
  ],
  mean: [
    3,
    (pair, first, second) =>
      f64x2.add(
        f64x2.mul(first, f64x2.mul(f64x2.add(f64x2.add(none, pair(1)), pair(2)), half)),
        f64x2.mul(second, pair(0)),
      ),
  ],
}

/** Four float32 values of each operand from its 16 bytes, and 16 bytes from as many sums. */
interface StoredForm {
  readonly quads: number
  readonly widened: (stored: Local, quad: number) => Code
  readonly narrowed: (sums: readonly Local[]) => Code
}

const forms: Readonly<Record<SummedType, StoredForm>> = {
  BF16: {
    quads: 2,
    // a bfloat16 is the upper half of a float32; with lanes in this order the shuffle is one instruction
    widened: (stored, quad) =>
      quad === 0
        ? i16x8.shuffle(zero, stored, 0, 8, 1, 9, 2, 10, 3, 11)
        : i16x8.shuffle(zero, stored, 4, 12, 5, 13, 6, 14, 7, 15),
    narrowed: (sums) => {
      /** To nearest even in the upper halves. */
      const [lower = zero, upper = zero] = sums.map((sum) =>
        i32x4.add(i32x4.add(sum, i32x4.all(0x7fff)), v128.and(i32x4.shr_u(sum, i32.const(16)), i32x4.all(1))),
      )
      return i16x8.shuffle(lower, upper, 1, 3, 5, 7, 9, 11, 13, 15)
    },
  },
  F32: { quads: 1, widened: (stored) => stored, narrowed: ([sum = zero]) => sum },
}

// oxlint-disable-next-line explicit-function-return-type -- what a kernel is follows from its layout
function workspaceFor({ quads, widened, narrowed }: StoredForm) {
  return kernel({ operands: ['u8', 3 * bytes], out: ['u8', bytes], flags: ['i32', 4] }, ({ operands, out, flags }) => {
    /** The sum of 16 bytes of each operand at a time; an infinity or NaN leaves a sign bit in the flags. */
    const mix = ([count, sum]: readonly [number, Sum]): ReturnType<typeof func<['i32', 'i32', 'f64', 'f64']>> =>
      func(['i32', 'i32', 'f64', 'f64'], (declare, [at, end, first, second]) => {
        const all = Array.from({ length: count }, (_, k) => k)
        const [stored, values] = [all.map(() => declare()), all.map(() => declare())]
        const sums = Array.from({ length: quads }, () => declare())
        const [one, other, found] = [declare(), declare(), declare()]
        const lower: Pair = (k) => f64x2.promote_low_f32x4(values[k]!)
        const upper: Pair = (k) => f64x2.promote_low_f32x4(i32x4.shuffle(values[k]!, values[k]!, 2, 3, 2, 3))
        const summed = (pair: Pair): Code => f32x4.demote_f64x2_zero(sum(pair, one, other))
        const infinite = (quad: Local): Code =>
          v128.not(i32x4.sub(v128.and(quad, i32x4.all(0x7fffffff)), i32x4.all(0x7f800000)))
        return code(
          local.set(one, f64x2.splat(first)),
          local.set(other, f64x2.splat(second)),
          local.set(found, zero),
          loop(
            at,
            16,
            end,
            ...all.map((k) => local.set(stored[k]!, v128.load(at, operands + k * bytes))),
            ...sums.flatMap((quad, q) => [
              ...all.map((k) => local.set(values[k]!, widened(stored[k]!, q))),
              local.set(quad, i32x4.shuffle(summed(lower), summed(upper), 0, 1, 4, 5)),
              local.set(found, v128.or(found, infinite(quad))),
            ]),
            v128.store(at, narrowed(sums), out),
          ),
          v128.store(i32.const(0), found, flags),
        )
      })
    return { values: mix(sumsOf.values), changes: mix(sumsOf.changes), mean: mix(sumsOf.mean) }
  })
}

const workspaces = { BF16: workspaceFor(forms.BF16), F32: workspaceFor(forms.F32) }

/**
 * Fills `out`; false where a sum is not a finite float32. Operands and `out` are little-endian numbers of the type, of
 * one length.
 */
export function sumStored(
  { of, coefficients }: StoredMix,
  dtype: SummedType,
  operands: readonly Uint8Array[],
  out: Uint8Array,
): boolean {
  const work = workspaces[dtype]()
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
