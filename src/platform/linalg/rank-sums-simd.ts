/**
 * What a rank correlation of weighted items adds up, in WebAssembly, for four weightings at once. Each of them is added
 * up alone and in order, so the bits are those of the plain loop.
 */
import { code, doWhile, f64x2, func, i32, i32x4, local, sizedKernel, v128, when } from '#platform/wasm'

/** Weightings of one run. */
export const rankLanes = 4
const pairs = rankLanes / 2
/** Numbers of an item, and its bytes: a line of the cache. */
const cellSize = 2 * rankLanes
const cellBytes = 8 * cellSize
/** Marks the last of a run of equal values; addresses of cells leave it free. */
const isLast = 1

const ranking = sizedKernel(() => ({
  /** The items whose places lie from `order` to `end`; the sums are written to `out`. */
  run: func(['i32', 'i32', 'i32'], (declare, [order, end, out]) => {
    const [place, cell, rank] = [declare('i32'), declare('i32'), declare()]
    const sums = Array.from({ length: pairs }, () => ({
      before: declare(),
      across: declare(),
      own: declare(),
      tied: declare(),
      others: declare(),
    }))
    return code(
      doWhile(
        i32.lt_u(local.tee(order, i32.add(order, i32.const(4))), end),
        local.set(place, i32.load(order)),
        local.set(cell, i32.sub(place, i32.and(place, i32.const(isLast)))),
        ...sums.map(({ tied, others }, k) =>
          code(
            local.set(tied, f64x2.add(tied, v128.load(cell, 16 * k))),
            local.set(others, f64x2.add(others, v128.load(cell, 16 * (pairs + k)))),
          ),
        ),
        when(
          i32.and(place, i32.const(isLast)),
          ...sums.map(({ before, across, own, tied, others }) =>
            code(
              local.set(rank, f64x2.add(before, f64x2.mul(f64x2.add(tied, f64x2.all(1)), f64x2.all(0.5)))),
              local.set(across, f64x2.add(across, f64x2.mul(rank, others))),
              local.set(own, f64x2.add(own, f64x2.mul(f64x2.mul(tied, rank), rank))),
              local.set(before, f64x2.add(before, tied)),
              local.set(tied, i32x4.all(0)),
              local.set(others, i32x4.all(0)),
            ),
          ),
        ),
      ),
      ...sums.flatMap(({ before, across, own }, k) =>
        [before, across, own].map((sum, which) => v128.store(out, sum, 16 * (pairs * which + k))),
      ),
    )
  }),
}))

/**
 * Items in ascending order of their values as `RankSums` reads them; `ends[k]` is the end of the run of equal values
 * that begins at k.
 */
export function rankPlaces(order: Int32Array, ends: Int32Array): Int32Array {
  return order.map((item, at) => item * cellBytes + (ends[at] === at + 1 ? isLast : 0))
}

export interface RankSums {
  /** [items × 8]: four weights of an item, then its rank elsewhere times each of them. */
  readonly cells: Float64Array
  /**
   * Three times four sums: of all weights, of ranks times the others' weighted ranks, of weights times squared ranks. A
   * rank is the mean of those that tied items would have. The next call overwrites them.
   */
  readonly sums: (places: Int32Array) => Float64Array
  readonly release: () => void
}

/** The memory for sums over this many items, at least one; cells are 0 at first. */
export function openRankSums(items: number): RankSums {
  const sumsAt = cellBytes * items
  const orderAt = sumsAt + 8 * 3 * rankLanes
  const { memory, run, release } = ranking(orderAt + 4 * items)
  const order = new Int32Array(memory, orderAt, items)
  const found = new Float64Array(memory, sumsAt, 3 * rankLanes)
  return {
    cells: new Float64Array(memory, 0, cellSize * items),
    sums(places) {
      order.set(places)
      run(orderAt, orderAt + 4 * items, sumsAt)
      return found
    },
    release,
  }
}
