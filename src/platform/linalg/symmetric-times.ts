/**
 * A symmetric matrix times a vector in WebAssembly: the part below the diagonal is read once and used for both sides,
 * four rows and two columns at a time, so that the matrix comes from memory as fast as it can.
 */
import {
  code,
  type Code,
  f64x2,
  func,
  i32,
  i32x4,
  local,
  type Local,
  loop,
  sizedKernel,
  v128,
  when,
} from '#platform/wasm'

/** Rows and columns of a group: matrix and vectors are filled up to whole ones. */
const group = 4
const number = 8

const kernel = sizedKernel(() => ({
  /**
   * out ← A x: each row's entries left of its group, and the group's own columns; x has N bytes, rows are `stride`
   * bytes apart.
   */
  times: func(['i32', 'i32', 'i32', 'i32', 'i32'], (declare, [bytes, stride, a, x, out]) => {
    const [at, before, address] = [declare('i32'), declare('i32'), declare('i32')]
    const [value, across, change] = [declare(), declare(), declare()]
    const rows = Array.from({ length: group }, () => ({ row: declare('i32'), factor: declare(), sum: declare() }))
    const each = (build: (of: { row: Local; factor: Local; sum: Local }, k: number) => Code): Code =>
      code(...rows.map(build))
    const both = (offset: number): Code =>
      code(
        local.set(across, v128.load(i32.add(x, at), offset)),
        local.set(change, v128.load(i32.add(out, at), offset)),
        each(({ row, factor, sum }) =>
          code(
            local.set(value, v128.load(i32.add(row, at), offset)),
            local.set(sum, f64x2.add(sum, f64x2.mul(value, across))),
            local.set(change, f64x2.add(change, f64x2.mul(value, factor))),
          ),
        ),
        v128.store(i32.add(out, at), change, offset),
      )
    const own = (offset: number): Code =>
      each(({ row, sum }) =>
        local.set(
          sum,
          f64x2.add(sum, f64x2.mul(v128.load(i32.add(row, before), offset), v128.load(i32.add(x, before), offset))),
        ),
      )
    const total = (k: number): Code => {
      const [p, q] = [rows[k]!.sum, rows[k + 1]!.sum]
      const halves = f64x2.add(i32x4.shuffle(p, q, 0, 1, 4, 5), i32x4.shuffle(p, q, 2, 3, 6, 7))
      return v128.store(address, f64x2.add(v128.load(address, number * k), halves), number * k)
    }
    return code(
      loop(at, 16, bytes, v128.store(i32.add(out, at), f64x2.all(0))),
      loop(
        before,
        number * group,
        bytes,
        local.set(address, i32.add(x, before)),
        each(({ row, factor, sum }, k) =>
          code(
            local.set(row, k === 0 ? a : i32.add(rows[k - 1]!.row, stride)),
            local.set(factor, v128.load64_splat(address, number * k)),
            local.set(sum, f64x2.all(0)),
          ),
        ),
        local.set(a, i32.add(rows[group - 1]!.row, stride)),
        local.set(at, i32.const(0)),
        when(before, loop(at, 32, before, both(0), both(16))),
        own(0),
        own(16),
        local.set(address, i32.add(out, before)),
        total(0),
        total(2),
      ),
    )
  }),
}))

/** A symmetric matrix in memory that is lent until `release`. */
export interface SymmetricTimes {
  /**
   * Row i from i · stride on: its entries left of the diagonal and within its group of four, where both triangles
   * stand.
   */
  readonly entries: Float64Array
  readonly stride: number
  /**
   * The leading part of x's size times x; the next product overwrites the returned array. The rows of the last group
   * must be finite.
   */
  times(x: Float64Array): Float64Array
  readonly release: () => void
}

/** 8 n² bytes; a RangeError above n = 23,000. */
export function symmetricTimes(n: number): SymmetricTimes {
  const stride = Math.ceil(n / group) * group
  const bytes = number * stride
  const work = kernel(bytes * (stride + 2))
  const [xAt, outAt] = [bytes * stride, bytes * (stride + 1)]
  const given = new Float64Array(work.memory, xAt, stride)
  return {
    entries: new Float64Array(work.memory, 0, stride * stride),
    stride,
    times(x) {
      const size = Math.ceil(x.length / group) * group
      given.set(x)
      given.fill(0, x.length, size)
      work.times(number * size, bytes, 0, xAt, outAt)
      return new Float64Array(work.memory, outAt, x.length)
    },
    release: work.release,
  }
}
