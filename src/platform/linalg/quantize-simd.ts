/**
 * Numbers rounded to those of smaller types, four at a time in WebAssembly: every operation rounds to float32 by itself, so the
 * bits are those of the plain loops.
 */
import type { Matrix } from '#core'
import {
  code,
  type Code,
  doWhile,
  f32x4,
  func,
  i32,
  i32x4,
  kernel,
  local,
  type Local,
  loop,
  v128,
} from '#platform/wasm'

/** Numbers that are copied at once, and of a row at most where their places count. */
const blockNumbers = 2 ** 13

const workspace = kernel(
  { numbers: ['f32', blockNumbers], starts: ['f32', blockNumbers], others: ['f32', blockNumbers], below: ['f32', 1] },
  ({ numbers, starts, others, below }) => {
    /** `value` of every four numbers of `end` bytes. */
    const each = (value: (x: Local, declare: () => Local) => Code) =>
      func(['i32'], (declare, [end]) => {
        const [at, x] = [declare('i32'), declare()]
        const made = value(x, declare)
        return loop(at, 16, end, local.set(x, v128.load(at, numbers)), v128.store(at, made, numbers))
      })
    /** `body` for every four numbers of rows of `bytes` bytes, `place` bytes from the beginning of theirs. */
    const inRows = (body: (at: Local, place: Local) => Code) =>
      func(['i32', 'i32'], (declare, [bytes, end]) => {
        const [at, place] = [declare('i32'), declare('i32')]
        return doWhile(
          i32.lt_u(at, end),
          local.set(place, i32.const(0)),
          loop(place, 16, bytes, body(at, place), local.set(at, i32.add(at, i32.const(16)))),
        )
      })
    const zero = f32x4.all(0)
    /** 0 for a finite number, NaN for any other. */
    const unlessFinite = (x: Code): Code => f32x4.sub(x, x)
    return {
      float16: each((x, declare) => {
        const [magnitude, rounded] = [declare(), declare()]
        // a tie goes to the even neighbour of 10 bits; below 2⁻¹⁴ there are steps of 2⁻²⁴, as float32 has above ½
        const toEven = v128.and(i32x4.shr_u(magnitude, i32.const(13)), i32x4.all(1))
        const normal = v128.and(i32x4.add(i32x4.add(magnitude, i32x4.all(0xfff)), toEven), i32x4.all(0xffffe000))
        const small = f32x4.sub(f32x4.add(magnitude, f32x4.all(0.5)), f32x4.all(0.5))
        const [smallest, infinity] = [i32x4.all(0x38800000), i32x4.all(0x7f800000)]
        return code(
          local.set(magnitude, v128.and(x, i32x4.all(0x7fffffff))),
          local.set(rounded, normal),
          local.set(rounded, v128.bitselect(infinity, rounded, i32x4.gt_s(rounded, i32x4.all(0x477fe000)))),
          local.set(rounded, v128.bitselect(small, rounded, i32x4.lt_u(magnitude, smallest))),
          local.set(rounded, v128.or(rounded, v128.and(x, i32x4.all(0x80000000)))),
          v128.bitselect(x, rounded, i32x4.gt_s(magnitude, infinity)),
        )
      }),
      signs: each((x) => f32x4.add(v128.and(f32x4.gt(x, zero), f32x4.all(1)), unlessFinite(x))),
      /** `others`: the steps. */
      codes: inRows((at, place) => {
        const x = v128.load(at, numbers)
        const code = f32x4.floor(f32x4.div(f32x4.sub(x, v128.load(place, starts)), v128.load(place, others)))
        const held = f32x4.pmax(f32x4.pmin(code, f32x4.all(255)), zero)
        return v128.store(at, f32x4.add(f32x4.sub(held, v128.load32_splat(i32.const(below))), unlessFinite(x)), numbers)
      }),
      /** `others`: the ends. */
      ranges: inRows((at, place) => {
        const x = v128.load(at, numbers)
        return code(
          v128.store(place, f32x4.pmin(v128.load(place, starts), x), starts),
          v128.store(place, f32x4.pmax(v128.load(place, others), x), others),
        )
      }),
    }
  },
)

/** The nearest float16 of every number. */
export function toFloat16(data: Float32Array): Float32Array {
  return inBlocks(data, blockNumbers, (end) => workspace().float16(end))
}

/** 1 for a number above 0, NaN for one that is not finite, 0 for the others. */
export function toSigns(data: Float32Array): Float32Array {
  return inBlocks(data, blockNumbers, (end) => workspace().signs(end))
}

/** Beginning and step of every place of a row, [width] each; `below` is subtracted from every code. */
export interface Steps {
  readonly starts: Float32Array
  readonly steps: Float32Array
  readonly below: number
}

/** ⌊(x − start) / step⌋ between 0 and 255, less `below`; NaN for a number that is not finite. */
export function toSteps(vectors: Matrix, { starts, steps, below }: Steps): Float32Array {
  const { width, data } = vectors
  if (!isInFours(width)) return toStepsPlain(vectors, { starts, steps, below })
  const work = workspace()
  work.starts.set(starts)
  work.others.set(steps)
  work.below[0] = below
  return inBlocks(data, wholeRows(width), (end) => work.codes(4 * width, end))
}

/** The same for rows of any width. */
export function toStepsPlain({ rows, width, data }: Matrix, { starts, steps, below }: Steps): Float32Array {
  const codes = new Float32Array(data.length)
  for (let i = 0, row = 0; row < rows; row++)
    for (let at = 0; at < width; at++, i++) {
      const value = data[i]!
      const code = Math.floor(Math.fround(Math.fround(value - starts[at]!) / steps[at]!))
      // 0 for a finite value, NaN for any other
      codes[i] = Math.max(0, Math.min(255, code)) - below + (value - value)
    }
  return codes
}

/** Smallest and largest number of every place of a row, [width] each. */
export interface Ends {
  readonly starts: Float32Array
  readonly ends: Float32Array
}

/** Lowers `starts` and raises `ends` to take in every row; NaN is passed over. */
export function extendRanges({ starts, ends }: Ends, vectors: Matrix): void {
  const { width, data } = vectors
  if (!isInFours(width)) {
    extendRangesPlain({ starts, ends }, vectors)
    return
  }
  const work = workspace()
  work.starts.set(starts)
  work.others.set(ends)
  const step = wholeRows(width)
  for (let from = 0; from < data.length; from += step) {
    const size = Math.min(step, data.length - from)
    work.numbers.set(data.subarray(from, from + size))
    work.ranges(4 * width, 4 * size)
  }
  starts.set(work.starts.subarray(0, width))
  ends.set(work.others.subarray(0, width))
}

/** The same for rows of any width. */
export function extendRangesPlain({ starts, ends }: Ends, { rows, width, data }: Matrix): void {
  for (let i = 0, row = 0; row < rows; row++)
    for (let at = 0; at < width; at++, i++) {
      const value = data[i]!
      if (value < starts[at]!) starts[at] = value
      if (value > ends[at]!) ends[at] = value
    }
}

/** Whether rows are taken four numbers at a time, and fit in a block. */
function isInFours(width: number): boolean {
  return width > 0 && width % 4 === 0 && width <= blockNumbers
}

/** Numbers of the whole rows that a block holds. */
function wholeRows(width: number): number {
  return blockNumbers - (blockNumbers % width)
}

/** `run` on blocks of `step` numbers, which it gets the bytes of. */
function inBlocks(data: Float32Array, step: number, run: (end: number) => void): Float32Array {
  const { numbers } = workspace()
  const out = new Float32Array(data.length)
  for (let from = 0; from < data.length; from += step) {
    const size = Math.min(step, data.length - from)
    numbers.set(data.subarray(from, from + size))
    run(4 * size)
    out.set(size === blockNumbers ? numbers : numbers.subarray(0, size), from)
  }
  return out
}
