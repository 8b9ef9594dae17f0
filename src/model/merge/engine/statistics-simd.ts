/**
 * What statistics count over a run of elements, two at a time in WebAssembly: signs fall as they like, and a branch an
 * element costs more than all the sums.
 */
import { code, f64x2, func, i32, kernel, local, loop, v128 } from '#platform/wasm'

/** Elements of a run, at most. */
export const runLength = 2 ** 12

export interface RunSums {
  /** Σ input². */
  readonly square: number
  /** Σ input · output. */
  readonly product: number
  /** Σ (input − base)². */
  readonly far: number
  /** Elements whose changes from the base have one sign, or are both 0. */
  readonly agree: number
  /** Elements that the input changed. */
  readonly changed: number
  /** Those of them that the output changed too. */
  readonly kept: number
}

const [zero, one] = [f64x2.all(0), f64x2.all(1)]
const count = 6

const workspace = kernel(
  { base: ['f64', runLength], input: ['f64', runLength], out: ['f64', runLength], sums: ['f64', 2 * count] },
  ({ base, input, out, sums }) => ({
    run: func(['i32', 'i32'], (declare, [at, end]) => {
      const totals = Array.from({ length: count }, () => declare())
      const [value, result, change, step] = [declare(), declare(), declare(), declare()]
      const [moved, stepped] = [f64x2.ne(change, zero), f64x2.ne(step, zero)]
      const sameSign = f64x2.gt(f64x2.mul(change, step), zero)
      /** What each sum grows by, in the order of `RunSums`. */
      const terms = [
        f64x2.mul(value, value),
        f64x2.mul(value, result),
        f64x2.mul(change, change),
        v128.and(v128.or(sameSign, v128.not(v128.or(moved, stepped))), one),
        v128.and(moved, one),
        v128.and(v128.and(moved, stepped), one),
      ]
      return code(
        loop(
          at,
          16,
          end,
          local.set(value, v128.load(at, input)),
          local.set(result, v128.load(at, out)),
          local.set(change, f64x2.sub(value, v128.load(at, base))),
          local.set(step, f64x2.sub(result, v128.load(at, base))),
          ...totals.map((total, k) => local.set(total, f64x2.add(total, terms[k]!))),
        ),
        ...totals.map((total, k) => v128.store(i32.const(0), total, sums + 16 * k)),
      )
    }),
  }),
)

/**
 * The sums of every input of a run, then those of the output itself as one. At most `runLength` elements; without a
 * base, changes are from 0.
 */
export function sumsOfRun(
  base: Float64Array | undefined,
  inputs: readonly Float64Array[],
  out: Float64Array,
  length: number,
): RunSums[] {
  const work = workspace()
  const put = (into: Float64Array, from: Float64Array | undefined): void => {
    if (from === undefined) into.fill(0, 0, length)
    else into.set(from.subarray(0, length))
    into.fill(0, length, length + (length % 2))
  }
  put(work.base, base)
  put(work.out, out)
  return [...inputs, out].map((input) => {
    put(work.input, input)
    work.run(0, 8 * (length + (length % 2)))
    const sum = (k: number): number => work.sums[2 * k]! + work.sums[2 * k + 1]!
    // The element that fills up an odd run agrees with itself.
    return { square: sum(0), product: sum(1), far: sum(2), agree: sum(3) - (length % 2), changed: sum(4), kept: sum(5) }
  })
}
