/**
 * Products of float32 vectors summed in float64, four sums side by side in WebAssembly. Which of the four an element
 * goes to follows from its place in the tensor, so that blocks of any size give the same.
 */
import type { Floats } from '#core'
import { code, type Code, f64x2, func, i32, kernel, local, type Local, loop, v128 } from '#platform/wasm'
import type { Block } from './method.ts'
import { chunkLength, mostInputs } from './fits-vectors.ts'

/** Sums side by side. */
export const ways = 4

const workspace = kernel(
  {
    input: ['f32', chunkLength],
    base: ['f32', chunkLength],
    sums: ['f64', ways],
    vectors: ['f64', mostInputs * chunkLength],
  },
  ({ input, base, sums }) => {
    /** Two float32 values at half the offset, as float64. */
    const pair = (at: Local, array: number): Code =>
      f64x2.promote_low_f32x4(v128.load64_zero(i32.shr_u(at, i32.const(1)), array))
    return {
      /** The vector at an address ← input, or input − base. */
      widen: func(['i32', 'i32', 'i32'], (_, [at, end, vector]) =>
        loop(at, 16, end, v128.store(i32.add(vector, at), pair(at, input))),
      ),
      change: func(['i32', 'i32', 'i32'], (_, [at, end, vector]) =>
        loop(at, 16, end, v128.store(i32.add(vector, at), f64x2.sub(pair(at, input), pair(at, base)))),
      ),
      /** sums += a · b */
      multiply: func(['i32', 'i32', 'i32', 'i32'], (declare, [at, end, a, b]) => {
        const totals = Array.from({ length: ways / 2 }, () => declare())
        const product = (offset: number): Code =>
          f64x2.mul(v128.load(i32.add(a, at), offset), v128.load(i32.add(b, at), offset))
        return code(
          ...totals.map((total, k) => local.set(total, v128.load(i32.const(0), sums + 16 * k))),
          loop(at, 32, end, ...totals.map((total, k) => local.set(total, f64x2.add(total, product(16 * k))))),
          ...totals.map((total, k) => v128.store(i32.const(0), total, sums + 16 * k)),
        )
      }),
    }
  },
)

/**
 * Elements from … of a block that `fitsVectors`; the first of them at a multiple of `ways` of the tensor. `totals`
 * holds the sums of each pair i ≤ j, one after the other.
 */
export function addProducts({ base, inputs, length }: Block, from: number, totals: Float64Array): void {
  const work = workspace()
  const addressOf = (k: number): number => work.vectors.byteOffset + 8 * chunkLength * k
  const put = (into: Float32Array, values: Floats, start: number, size: number): void => {
    into.set(values.subarray(start, start + size))
    into.fill(0, size, Math.ceil(size / ways) * ways)
  }
  for (let start = from; start < length; start += chunkLength) {
    const size = Math.min(chunkLength, length - start)
    const bytes = 8 * Math.ceil(size / ways) * ways
    if (base !== undefined) put(work.base, base, start, size)
    inputs.forEach((input, k) => {
      put(work.input, input, start, size)
      work[base === undefined ? 'widen' : 'change'](0, bytes, addressOf(k))
    })
    let pairs = 0
    for (let i = 0; i < inputs.length; i++) {
      for (let j = i; j < inputs.length; j++, pairs++) {
        const own = totals.subarray(ways * pairs, ways * (pairs + 1))
        work.sums.set(own)
        work.multiply(0, bytes, addressOf(i), addressOf(j))
        own.set(work.sums)
      }
    }
  }
}
