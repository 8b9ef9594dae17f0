/** The largest number of a part of every row of a table, in WebAssembly: four numbers at once, in four chains. */
import {
  type Code,
  doWhile,
  f32x4,
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

/** Four vectors: a chain of comparisons waits for each one before. */
const stepBytes = 64

const kernel = sizedKernel(() => ({
  /**
   * The largest of the float32 in `bytes` bytes at `first`, of as many `stride` bytes further on, and so on; written to
   * `out`, 4 bytes each, up to `end`. NaN where one of them is.
   */
  largest: func(['i32', 'i32', 'i32', 'i32', 'i32'], (declare, [first, bytes, stride, out, end]) => {
    const [at, whole, last] = [declare('i32'), declare('i32'), declare('i32')]
    const best = [declare(), declare(), declare(), declare()] as const
    const [all, ...others] = best
    const raise = (chain: Local, value: Code): Code => local.set(chain, f32x4.max(chain, value))
    return doWhile(
      i32.lt_u(local.tee(out, i32.add(out, i32.const(4))), end),
      ...best.map((chain) => local.set(chain, f32x4.all(-Infinity))),
      local.set(at, first),
      local.set(whole, i32.add(first, i32.and(bytes, i32.const(-stepBytes)))),
      local.set(last, i32.add(first, bytes)),
      when(
        i32.lt_u(at, whole),
        loop(at, stepBytes, whole, ...best.map((chain, k) => raise(chain, v128.load(at, 16 * k)))),
      ),
      ...others.map((chain) => raise(all, chain)),
      when(i32.lt_u(at, last), loop(at, 4, last, raise(all, v128.load32_splat(at)))),
      raise(all, i32x4.shuffle(all, all, 2, 3, 0, 1)),
      raise(all, i32x4.shuffle(all, all, 1, 0, 3, 2)),
      i32.store(out, i32x4.extract_lane(all, 0)),
      local.set(first, i32.add(first, stride)),
    )
  }),
}))

/** A table in the kernel's memory, written over by its owner. */
export interface LargestTable {
  readonly numbers: Float32Array
  /** The largest of `size` > 0 columns from `begin` on in each of the first rows; the next call writes over it. */
  largest(part: {
    readonly rows: number
    readonly stride: number
    readonly begin: number
    readonly size: number
  }): Float32Array
  release(): void
}

/** A table of N numbers, of M rows at most. */
export function largestTable(numbers: number, mostRows: number): LargestTable {
  const outAt = 4 * numbers
  const { memory, largest, release } = kernel(outAt + 4 * mostRows)
  const out = new Float32Array(memory, outAt, mostRows)
  return {
    numbers: new Float32Array(memory, 0, numbers),
    largest({ rows, stride, begin, size }) {
      largest(4 * begin, 4 * size, 4 * stride, outAt, outAt + 4 * rows)
      return out.subarray(0, rows)
    },
    release,
  }
}
