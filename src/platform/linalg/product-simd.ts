/**
 * Small products in WebAssembly, sixteen sums at once, two a vector. Each is added up alone from its first term to its
 * last, so the bits are those of the plain loops.
 */
import type { Floats, Matrix } from '#core'
import { code, type Code, f64x2, func, i32, kernel, local, type Local, loop, v128 } from '#platform/wasm'
import { emptyLike, timesTransposedPlain } from './product-plain.ts'

/** Numbers of both factors and the product, at most: 2 MiB a thread. */
const most = 2 ** 18
/** Rows of each factor that a tile takes. */
const side = 4
/** With fewer rows most of a tile is thrown away. */
const fewest = 3

const workspace = kernel({ numbers: ['f64', most] }, () => ({
  /**
   * Products of four rows at `a` with four at `b`, each row N bytes long (a multiple of 16); to four rows at `out`,
   * `stride` bytes apart.
   */
  tile: func(['i32', 'i32', 'i32', 'i32', 'i32'], (declare, [bytes, a, b, out, stride]) => {
    const at = declare('i32')
    const [as, bs] = [a, b].map((first) => [first, declare('i32'), declare('i32'), declare('i32')])
    const sums = Array.from({ length: side }, () => [declare(), declare()])
    const [left, low, high] = [declare(), declare(), declare()]
    const rows = (addresses: Local[]): Code =>
      code(...[1, 2, 3].map((k) => local.set(addresses[k]!, i32.add(addresses[k - 1]!, bytes))))
    const pair = (first: Local, second: Local, offset: number): Code =>
      v128.load64_lane(i32.add(second, at), v128.load64_zero(i32.add(first, at), offset), 1, offset)
    const step = (offset: number): Code =>
      code(
        local.set(low, pair(bs![0]!, bs![1]!, offset)),
        local.set(high, pair(bs![2]!, bs![3]!, offset)),
        ...sums.map(([p, q], i) =>
          code(
            local.set(left, v128.load64_splat(i32.add(as![i]!, at), offset)),
            local.set(p!, f64x2.add(p!, f64x2.mul(left, low))),
            local.set(q!, f64x2.add(q!, f64x2.mul(left, high))),
          ),
        ),
      )
    return code(
      rows(as!),
      rows(bs!),
      loop(at, 16, bytes, step(0), step(8)),
      ...sums.map(([p, q]) => code(v128.store(out, p!), v128.store(out, q!, 16), local.set(out, i32.add(out, stride)))),
    )
  }),
}))

/** a · bᵀ → [a.rows × b.rows]; matrices too large or too narrow for the kernel go through the plain loops. */
export function timesTransposedSmall<Data extends Floats>(a: Matrix<Data>, b: Matrix<Data>, into?: Data): Data {
  const [rows, columns] = [upTo(a.rows, side), upTo(b.rows, side)]
  // what fills up a row is +0 · +0, which no sum notices: none is ever −0
  const width = upTo(a.width, 2)
  const [bAt, outAt, end] = [rows * width, (rows + columns) * width, (rows + columns) * width + rows * columns]
  if (end > most || width === 0 || Math.min(a.rows, b.rows) < fewest) return timesTransposedPlain(a, b, into)
  const { numbers, tile } = workspace()
  put(a, numbers.subarray(0, bAt), width)
  put(b, numbers.subarray(bAt, outAt), width)
  for (let i = 0; i < rows; i += side) {
    for (let j = 0; j < columns; j += side)
      tile(8 * width, 8 * i * width, 8 * (bAt + j * width), 8 * (outAt + i * columns + j), 8 * columns)
  }
  const out = into ?? emptyLike(a.data, a.rows * b.rows)
  for (let i = 0; i < a.rows; i++)
    out.set(numbers.subarray(outAt + i * columns, outAt + i * columns + b.rows), i * b.rows)
  return out
}

const upTo = (count: number, step: number): number => Math.ceil(count / step) * step

/** Rows of `width` numbers, zeros behind each row and behind the last. */
function put({ rows, width, data }: Matrix<Floats>, into: Float64Array, stride: number): void {
  if (width === stride) into.set(data)
  else {
    for (let i = 0; i < rows; i++) {
      into.set(data.subarray(i * width, (i + 1) * width), i * stride)
      into[(i + 1) * stride - 1] = 0
    }
  }
  into.fill(0, rows * stride)
}
