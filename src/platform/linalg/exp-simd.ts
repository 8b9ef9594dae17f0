/**
 * eˣ of two numbers at once for x ≤ 0, by the operations of fdlibm's e_exp.c (Sun Microsystems 1993) in their order.
 * V8's Math.exp is that function, so the bits are the same where its compiler kept to those operations too; some fuse a
 * product and a sum into one instruction, which rounds once less.
 */
import { code, type Code, f64x2, func, i32, i64x2, kernel, local, type Local, loop, v128, when } from '#platform/wasm'

const coefficients = [
  1.66666666666666019037e-1, -2.77777777770155933842e-3, 6.61375632143793436117e-5, -1.6533902205465251539e-6,
  4.13813679705723846039e-8,
]
const [ln2High, ln2Low] = [6.9314718036912381649e-1, 1.90821492927058770002e-10]
/** The number with the upper word 0x3fd62e43: from there on, half of ln 2, x is reduced to x − k · ln 2. */
const reduced = 0.3465735912322998
/** Between these nothing special happens: eˣ is neither 1 + x nor subnormal or 0. */
const [tiny, ordinary] = [-(2 ** -28), -708]
/** Below, eˣ is 0. */
const least = -7.4513321910194110842e2
/** 2ᵏ has an exponent of its own down to k = −1022; smaller ones are reached in two steps. */
const [leastPower, step] = [-1021, 1000]
const all = (value: number): Code => f64x2.all(value)
const one = all(1)

/** x ← eˣ; NaN stays NaN. */
export function expOf(declare: () => Local, x: Local): Code {
  const [k, high, low, r, c, small, result] = [
    declare(),
    declare(),
    declare(),
    declare(),
    declare(),
    declare(),
    declare(),
  ]
  const polynomial = coefficients.reduceRight<Code>(
    (sum, p) => (sum.length === 0 ? all(p) : f64x2.add(all(p), f64x2.mul(c, sum))),
    [],
  )
  /** 2 to a whole number: added to 2⁵² it stands in the lowest bits, from where it moves into the exponent. */
  const power = (whole: Code): Code => i64x2.shl(f64x2.add(whole, all(2 ** 52 + 1023)), i32.const(52))
  return code(
    // k ← x / ln 2 to the nearest whole number, 0 where x is not reduced
    local.set(k, v128.and(f64x2.trunc(f64x2.sub(f64x2.mul(x, all(Math.LOG2E)), all(0.5))), f64x2.le(x, all(-reduced)))),
    local.set(high, f64x2.sub(x, f64x2.mul(k, all(ln2High)))),
    local.set(low, f64x2.mul(k, all(ln2Low))),
    local.set(r, f64x2.sub(high, low)),
    local.set(c, f64x2.mul(r, r)),
    local.set(c, f64x2.sub(r, f64x2.mul(c, polynomial))),
    local.set(r, f64x2.sub(one, f64x2.sub(f64x2.sub(low, f64x2.div(f64x2.mul(r, c), f64x2.sub(all(2), c))), high))),
    local.set(result, f64x2.mul(r, power(k))),
    when(
      v128.any_true(v128.or(f64x2.gt(x, all(tiny)), f64x2.lt(x, all(ordinary)))),
      local.set(small, f64x2.lt(k, all(leastPower))),
      local.set(r, f64x2.mul(r, power(f64x2.add(k, v128.and(small, all(step)))))),
      local.set(r, f64x2.mul(r, v128.bitselect(all(2 ** -step), one, small))),
      local.set(r, v128.bitselect(f64x2.add(one, x), r, f64x2.gt(x, all(tiny)))),
      local.set(result, v128.andnot(r, f64x2.lt(x, all(least)))),
    ),
    local.set(x, result),
  )
}

const chunk = 1024
const workspace = kernel({ values: ['f64', chunk] }, ({ values }) => ({
  run: func(['i32'], (declare, [bytes]) => {
    const [at, x] = [declare('i32'), declare()]
    return loop(at, 16, bytes, local.set(x, v128.load(at, values)), expOf(declare, x), v128.store(at, x, values))
  }),
}))

/** eˣ of each, all of them ≤ 0 or NaN. */
export function expEach(xs: Float64Array): Float64Array {
  const out = new Float64Array(xs.length)
  const { values, run } = workspace()
  for (let start = 0; start < xs.length; start += chunk) {
    const size = Math.min(chunk, xs.length - start)
    values.set(xs.subarray(start, start + size))
    run(8 * size)
    out.set(values.subarray(0, size), start)
  }
  return out
}

/** From 0 to where eˣ ends, most of them near 0; a step without a pattern in its bits. */
const samples = 4096
const sampleAt = (i: number): number => -750 * ((i * 0.6180339887498949) % 1) ** 3

let same: boolean | undefined

/** Whether Math.exp of this process gives the bits of `expOf`, on a sample. */
export function sameAsMathExp(): boolean {
  if (same === undefined) {
    const xs = Float64Array.from({ length: samples }, (_, i) => sampleAt(i))
    same = expEach(xs).every((power, i) => power === Math.exp(xs[i]!))
  }
  return same
}
