/**
 * The nearest centre of every row as scikit-learn finds it in float32. Where float32 could decide otherwise than the
 * product here – a row between two centres, two centres in one place – its sums are repeated in the reference's order.
 */
import { type Floats, type Matrix, row } from '#core'
import { gathered, numbered } from './gather.ts'
import { timesTransposed } from './product.ts'
import { singleValue, squaredNorm } from './single-precision.ts'

export interface Nearest {
  readonly labels: Int32Array
  /** Squared distance of every row to its centre. */
  readonly squared: Float64Array
  readonly inertia: number
}

/** The rows of `x` at `ids`, which may repeat; products in float64. */
export async function nearestCentres(
  x: Matrix,
  ids: Int32Array,
  centres: Matrix,
  signal?: AbortSignal,
): Promise<Pick<Nearest, 'labels' | 'inertia'>> {
  const { distinct, position } = numbered(ids, x.rows)
  const factor: Matrix<Floats> = { ...centres, data: Float64Array.from(centres.data) }
  const { labels: best, squared } = await findNearest(
    { count: distinct.length, row: (i) => row(x, distinct[i]!), block: (from, to) => gathered(x, distinct, from, to) },
    centres,
    { factor, lost: 2, signal },
  )
  let inertia = 0
  const labels = position.map((at) => {
    inertia += squared[at]!
    return best[at]!
  })
  return { labels, inertia }
}

/** Every row of `x`; products in float32, which is half the work where millions of distances are compared. */
export async function nearestOfAll(x: Matrix, centres: Matrix, signal?: AbortSignal): Promise<Nearest> {
  const block = (from: number, to: number): Matrix<Floats> => ({
    rows: to - from,
    width: x.width,
    data: x.data.subarray(from * x.width, to * x.width),
  })
  const rows = { count: x.rows, row: (i: number) => row(x, i), block }
  const { labels, squared } = await findNearest(rows, centres, { factor: centres, lost: 4, signal })
  return { labels, squared, inertia: squared.reduce((sum, value) => sum + value, 0) }
}

interface Rows {
  readonly count: number
  row(i: number): Float32Array
  block(from: number, to: number): Matrix<Floats>
}

interface Products {
  /** The centres in the type that products are computed in. */
  readonly factor: Matrix<Floats>
  /** How often the rounding of a float32 sum enters a comparison. */
  readonly lost: number
  readonly signal: AbortSignal | undefined
}

/** The first centre with the least ‖c‖² − 2 x·c in float32 for every row. */
async function findNearest(
  rows: Rows,
  centres: Matrix,
  { factor, lost, signal }: Products,
): Promise<Omit<Nearest, 'inertia'>> {
  const { rows: clusters, width } = centres
  const norms = Float32Array.from({ length: clusters }, (_, c) => squaredNorm(row(centres, c)))
  const longest = Math.sqrt(norms.reduce((most, norm) => Math.max(most, norm), 0))
  const labels = new Int32Array(rows.count)
  const squared = new Float64Array(rows.count)
  const step = Math.max(64, Math.floor(2 ** 21 / (width + clusters)))
  for (let start = 0; start < rows.count; start += step) {
    signal?.throwIfAborted()
    const block = rows.block(start, Math.min(rows.count, start + step))
    const products = await timesTransposed(block, factor)
    for (let i = 0; i < block.rows; i++) {
      const values = products.subarray(i * clusters, (i + 1) * clusters)
      let least = Infinity
      for (let c = 0; c < clusters; c++) {
        values[c] = norms[c]! - 2 * values[c]!
        if (values[c]! < least) least = values[c]!
      }
      const own = rows.row(start + i)
      // twice the bound on what float32 sums may lose
      const slack = 2 * lost * (width + 2) * 2 ** -24 * longest * (Math.sqrt(squaredNorm(own)) + longest)
      const at = firstLeast(values, least + slack, own, centres, norms)
      labels[start + i] = at
      let sum = 0
      for (let k = 0; k < width; k++) sum += (own[k]! - centres.data[at * width + k]!) ** 2
      squared[start + i] = sum
    }
  }
  return { labels, squared }
}

/** Among the centres whose value is not above `limit`, the first with the least value in float32 arithmetic. */
function firstLeast(values: Floats, limit: number, own: Float32Array, centres: Matrix, norms: Float32Array): number {
  let [only, least, at] = [-1, Infinity, -1]
  for (let c = 0; c < values.length; c++) {
    if (values[c]! > limit) continue
    if (only < 0) {
      only = c
      continue
    }
    if (at < 0) {
      least = singleValue(own, row(centres, only), norms[only]!)
      at = only
    }
    const value = singleValue(own, row(centres, c), norms[c]!)
    if (value < least) {
      least = value
      at = c
    }
  }
  return at < 0 ? only : at
}
