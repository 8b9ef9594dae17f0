/**
 * What L-BFGS does with its vectors, in WebAssembly: two elements at a time, a vector written and multiplied by another
 * in one pass over memory. Products are four sums side by side, since one alone waits for itself at every addition;
 * element i goes to sum i mod 4, those behind the last four to the first.
 */
import {
  code,
  type Code,
  f64x2,
  func,
  i32,
  i64x2,
  local,
  type Local,
  loop,
  sizedKernel,
  v128,
  when,
} from '#platform/wasm'

/** Two neighbouring elements, or a last single one paired with a 0. */
interface Elements {
  readonly load: (address: Code, offset: number) => Code
  readonly store: (address: Code, value: Code, offset: number) => Code
  /** The term of a sum: 0 in the place next to a single element, even where that is infinite. */
  readonly term: (value: Code) => Code
}
/** All bits of the first of two elements. */
const lowest = i64x2.const(0xffff_ffff_ffff_ffffn, 0n)
const two: Elements = { load: v128.load, store: v128.store, term: (value) => value }
const one: Elements = {
  load: v128.load64_zero,
  store: (address, value, offset) => v128.store64_lane(address, value, 0, offset),
  term: (value) => v128.and(value, lowest),
}

type Declare = (type?: 'i32' | 'f64' | 'v128') => Local
type Work = (elements: Elements, at: Local, offset: number, total: Local) => Code

/** `work` on every element of vectors of `bytes` bytes; the totals go to the first 32 bytes. */
function overAll(declare: Declare, bytes: Local, work: Work): Code {
  const [at, fours] = [declare('i32'), declare('i32')]
  const [p, q] = [declare(), declare()]
  return code(
    local.set(fours, i32.and(bytes, i32.const(-32))),
    when(fours, loop(at, 32, fours, work(two, at, 0, p), work(two, at, 16, q))),
    when(i32.lt_u(at, bytes), loop(at, 8, bytes, work(one, at, 0, p))),
    v128.store(i32.const(0), p),
    v128.store(i32.const(0), q, 16),
  )
}

const kernel = sizedKernel(() => ({
  dot: func(['i32', 'i32', 'i32'], (declare, [bytes, a, b]) =>
    overAll(declare, bytes, ({ load, term }, at, offset, total) =>
      local.set(total, f64x2.add(total, term(f64x2.mul(load(i32.add(a, at), offset), load(i32.add(b, at), offset))))),
    ),
  ),
  largest: func(['i32', 'i32'], (declare, [bytes, a]) =>
    overAll(declare, bytes, ({ load }, at, offset, total) =>
      local.set(total, f64x2.max(total, f64x2.abs(load(i32.add(a, at), offset)))),
    ),
  ),
  /** target ← −source */
  negate: func(['i32', 'i32', 'i32', 'i32'], (declare, [bytes, target, source, other]) => {
    const value = declare()
    return overAll(declare, bytes, ({ load, store, term }, at, offset, total) =>
      code(
        local.set(value, f64x2.neg(load(i32.add(source, at), offset))),
        store(i32.add(target, at), value, offset),
        local.set(total, f64x2.add(total, term(f64x2.mul(load(i32.add(other, at), offset), value)))),
      ),
    )
  }),
  /** target ← (target + source · by) · scale */
  add: func(['i32', 'i32', 'i32', 'i32', 'f64', 'f64'], (declare, [bytes, target, source, other, by, scale]) => {
    const [value, bys, scales] = [declare(), declare(), declare()]
    return code(
      local.set(bys, f64x2.splat(by)),
      local.set(scales, f64x2.splat(scale)),
      overAll(declare, bytes, ({ load, store, term }, at, offset, total) =>
        code(
          local.set(
            value,
            f64x2.mul(
              f64x2.add(load(i32.add(target, at), offset), f64x2.mul(load(i32.add(source, at), offset), bys)),
              scales,
            ),
          ),
          store(i32.add(target, at), value, offset),
          local.set(total, f64x2.add(total, term(f64x2.mul(load(i32.add(other, at), offset), value)))),
        ),
      ),
    )
  }),
  /** target ← from + direction · by */
  walk: func(['i32', 'i32', 'i32', 'i32', 'f64'], (declare, [bytes, target, from, direction, by]) => {
    const bys = declare()
    return code(
      local.set(bys, f64x2.splat(by)),
      overAll(declare, bytes, ({ load, store }, at, offset) =>
        store(
          i32.add(target, at),
          f64x2.add(load(i32.add(from, at), offset), f64x2.mul(bys, load(i32.add(direction, at), offset))),
          offset,
        ),
      ),
    )
  }),
  /** target ← source · by */
  scale: func(['i32', 'i32', 'i32', 'f64'], (declare, [bytes, target, source, by]) => {
    const bys = declare()
    return code(
      local.set(bys, f64x2.splat(by)),
      overAll(declare, bytes, ({ load, store }, at, offset) =>
        store(i32.add(target, at), f64x2.mul(load(i32.add(source, at), offset), bys), offset),
      ),
    )
  }),
  /** target ← a − b; Σ target² */
  subtract: func(['i32', 'i32', 'i32', 'i32'], (declare, [bytes, target, a, b]) => {
    const value = declare()
    return overAll(declare, bytes, ({ load, store, term }, at, offset, total) =>
      code(
        local.set(value, f64x2.sub(load(i32.add(a, at), offset), load(i32.add(b, at), offset))),
        store(i32.add(target, at), value, offset),
        local.set(total, f64x2.add(total, term(f64x2.mul(value, value)))),
      ),
    )
  }),
}))

/** A vector of the space: a view of its memory. */
export type Vector = Float64Array

/**
 * Vectors of one length in one memory, which is lent until `release`. What writes a vector and takes `other` returns
 * the product of the two.
 */
export interface VectorSpace {
  readonly vectors: readonly Vector[]
  dot(a: Vector, b: Vector): number
  /** The largest absolute value; NaN when there is one. */
  largest(a: Vector): number
  /** target ← −source */
  negate(target: Vector, source: Vector, other: Vector): number
  /** target ← (target + source · by) · scale */
  add(target: Vector, source: Vector, by: number, scale: number, other: Vector): number
  /** target ← from + direction · by */
  walk(target: Vector, from: Vector, direction: Vector, by: number): void
  /** target ← source · by */
  scale(target: Vector, source: Vector, by: number): void
  /** target ← a − b; returns the sum of its squares. */
  subtract(target: Vector, a: Vector, b: Vector): number
  readonly release: () => void
}

/** `count` vectors of zeros. Memory that is never written is never taken. */
export function vectorSpace(length: number, count: number): VectorSpace {
  const bytes = 8 * length
  const stride = Math.ceil(bytes / 64) * 64
  const work = kernel(64 + stride * count)
  const totals = new Float64Array(work.memory, 0, 4)
  const sum = (): number => totals[0]! + totals[1]! + (totals[2]! + totals[3]!)
  return {
    vectors: Array.from({ length: count }, (_, k) => new Float64Array(work.memory, 64 + stride * k, length)),
    dot(a, b) {
      work.dot(bytes, a.byteOffset, b.byteOffset)
      return sum()
    },
    largest(a) {
      work.largest(bytes, a.byteOffset)
      return Math.max(...totals)
    },
    negate(target, source, other) {
      work.negate(bytes, target.byteOffset, source.byteOffset, other.byteOffset)
      return sum()
    },
    add(target, source, by, scale, other) {
      work.add(bytes, target.byteOffset, source.byteOffset, other.byteOffset, by, scale)
      return sum()
    },
    walk(target, from, direction, by) {
      work.walk(bytes, target.byteOffset, from.byteOffset, direction.byteOffset, by)
    },
    scale(target, source, by) {
      work.scale(bytes, target.byteOffset, source.byteOffset, by)
    },
    subtract(target, a, b) {
      work.subtract(bytes, target.byteOffset, a.byteOffset, b.byteOffset)
      return sum()
    },
    release: work.release,
  }
}
