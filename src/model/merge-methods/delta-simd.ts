/**
 * The loops of `delta-loops.ts` for float32 tensors, two elements at a time in WebAssembly: the same steps, the same
 * bits. One workspace serves all tensors of a thread.
 */
import type { Floats } from '#core'
import { type Code, f32x4, f64x2, func, i32, i32x4, i64x2, kernel, local, type Local, loop, v128 } from '#platform/wasm'
import type { Block } from './method.ts'
import type { DeltaChunk } from './delta-chunk.ts'
import { longestChunk, mostInputs } from './fits-vectors.ts'

const [zero, one] = [f64x2.all(0), f64x2.all(1)]

// Functions count bytes of float64 values, from and to; then comes the address of an input's δ.
const workspace = kernel(
  {
    base: ['f32', longestChunk],
    input: ['f32', longestChunk],
    out: ['f32', longestChunk],
    keys: ['u32', longestChunk],
    total: ['f64', longestChunk],
    sum: ['f64', longestChunk],
    divisor: ['f64', longestChunk],
    deltas: ['f64', mostInputs * longestChunk],
  },
  ({ base, input, out, keys, total, sum, divisor }) => {
    const half = (at: Local): Code => i32.shr_u(at, i32.const(1))
    /** Two float32 values as float64. */
    const pair = (at: Local, array: number): Code => f64x2.promote_low_f32x4(v128.load64_zero(half(at), array))
    const storePair = (at: Local, values: Code): Code =>
      v128.store64_lane(half(at), f32x4.demote_f64x2_zero(values), 0, out)
    const increase = (at: Local, array: number, by: Code): Code =>
      v128.store(at, f64x2.add(v128.load(at, array), by), array)
    const narrow = f32x4.demote_f64x2_zero
    return {
      // of float32 values, four at a time
      differenceKeys: func(['i32', 'i32'], (_, [at, end]) =>
        loop(
          at,
          16,
          end,
          v128.store(at, v128.and(f32x4.sub(v128.load(at, input), v128.load(at, base)), i32x4.all(0x7fffffff)), keys),
        ),
      ),
      differences: func(['i32', 'i32', 'i32'], (_, [at, end, delta]) =>
        loop(at, 16, end, v128.store(i32.add(delta, at), f64x2.sub(pair(at, input), pair(at, base)))),
      ),
      // the vote in float32, the change in float64
      weigh: func(['i32', 'i32', 'i32', 'f64', 'f64', 'f64'], (declare, [at, end, delta, factor, weight, scale]) => {
        const value = declare()
        const vote = f32x4.mul(f32x4.mul(narrow(value), narrow(f64x2.splat(scale))), narrow(f64x2.splat(weight)))
        return loop(
          at,
          16,
          end,
          local.set(value, v128.load(i32.add(delta, at))),
          v128.store(at, f64x2.promote_low_f32x4(f32x4.add(narrow(v128.load(at, total)), vote)), total),
          v128.store(i32.add(delta, at), f64x2.mul(value, f64x2.splat(factor))),
        )
      }),
      accumulate: func(['i32', 'i32', 'i32', 'f64'], (_, [at, end, delta, factor]) =>
        loop(at, 16, end, increase(at, sum, f64x2.mul(v128.load(i32.add(delta, at)), f64x2.splat(factor)))),
      ),
      agreeing: func(['i32', 'i32', 'i32', 'f64', 'f64'], (declare, [at, end, delta, factor, weight]) => {
        const [value, agrees] = [declare(), declare()]
        const nonZero = f64x2.ne(local.tee(value, v128.load(i32.add(delta, at))), zero)
        const differs = i64x2.shr_s(v128.xor(value, v128.load(at, total)), i32.const(63))
        return loop(
          at,
          16,
          end,
          local.set(agrees, v128.and(v128.andnot(nonZero, differs), one)),
          increase(at, sum, f64x2.mul(value, f64x2.mul(f64x2.splat(factor), agrees))),
          increase(at, divisor, f64x2.mul(f64x2.splat(weight), agrees)),
        )
      }),
      addToBase: func(['i32', 'i32', 'f64'], (_, [at, end, lambda]) =>
        loop(at, 16, end, storePair(at, f64x2.add(pair(at, base), f64x2.mul(f64x2.splat(lambda), v128.load(at, sum))))),
      ),
      addToBaseDivided: func(['i32', 'i32', 'f64'], (declare, [at, end, lambda]) => {
        const own = declare()
        const orOne = f64x2.add(own, v128.and(f64x2.eq(own, zero), one))
        const change = f64x2.div(f64x2.mul(f64x2.splat(lambda), v128.load(at, sum)), orOne)
        return loop(
          at,
          16,
          end,
          local.set(own, v128.load(at, divisor)),
          storePair(at, f64x2.add(pair(at, base), change)),
        )
      }),
    }
  },
)

export function vectorDelta(): DeltaChunk {
  const work = workspace()
  const { base, input, out, keys, total, sum, divisor, deltas } = work
  const changes = Array.from({ length: mostInputs }, (_, k) =>
    deltas.subarray(k * longestChunk, (k + 1) * longestChunk),
  )
  let current: { readonly block: Block; readonly from: number; readonly size: number } | undefined
  const take = (k: number): number => {
    const { block, from, size } = current!
    input.set(block.inputs[k]!.subarray(from, from + size))
    return size
  }
  const give = (into: Floats): void => into.set(out.subarray(0, current!.size), current!.from)
  return {
    begin(block, from, size) {
      current = { block, from, size }
      base.set(block.base!.subarray(from, from + size))
    },
    keys(k) {
      work.differenceKeys(0, 4 * take(k))
      return keys
    },
    changes(k) {
      work.differences(0, 8 * take(k), changes[k]!.byteOffset)
      return changes[k]!
    },
    add(factors, lambda, into) {
      const { size } = current!
      sum.fill(-0, 0, size)
      factors.forEach((factor, k) => work.accumulate(0, 8 * size, changes[k]!.byteOffset, factor))
      work.addToBase(0, 8 * size, lambda)
      give(into)
    },
    weigh(weights, scales) {
      const { size } = current!
      total.fill(-0, 0, size)
      weights.forEach((weight, k) =>
        work.weigh(0, 8 * size, changes[k]!.byteOffset, weight * scales[k]!, weight, scales[k]!),
      )
      return total
    },
    elect(weights, divided, lambda, into) {
      const { size } = current!
      sum.fill(0, 0, size)
      divisor.fill(0, 0, size)
      weights.forEach((weight, k) => work.agreeing(0, 8 * size, changes[k]!.byteOffset, 1, weight))
      work[divided ? 'addToBaseDivided' : 'addToBase'](0, 8 * size, lambda)
      give(into)
    },
  }
}
