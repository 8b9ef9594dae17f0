/**
 * k-means++ with several trials per centre, as scikit-learn seeds its k-means (`_kmeans_plusplus`): distances summed in
 * float64 and kept in float32.
 */
import type { Matrix, Matrix64 } from '#core'
import type { RandomState } from '#platform/random'
import { gathered, numbered, squaredNorms } from './gather.ts'
import { timesTransposed } from './product.ts'

/** How scikit-learn draws the first centre and cumulates distances: by version (`KMeansProfile`). */
export interface SeedingRules {
  readonly firstCentre: 'randint' | 'choice'
  readonly cumulative: 'float64' | 'float32'
}

/** All distances among the rows are computed at once up to this many rows: 64 MiB of float32. */
const wholeTable = 4096

/** Rows of `x` for the centres, drawn from the rows at `ids`, which may repeat. */
export async function seedCentres(
  x: Matrix,
  ids: Int32Array,
  clusters: number,
  generator: RandomState,
  rules: SeedingRules,
): Promise<Int32Array> {
  const { distinct, position } = numbered(ids, x.rows)
  const trials = 2 + Math.floor(Math.log(clusters))
  const from = await distances(gathered(x, distinct), clusters * trials)
  const chosen = new Int32Array(clusters)
  let first: number
  switch (rules.firstCentre) {
    case 'randint':
      first = generator.interval(ids.length - 1)
      break
    case 'choice':
      first = generator.choice(ids.length, 1, { p: new Float32Array(ids.length).fill(1 / ids.length) })[0]!
      break
    default:
      return rules.firstCentre satisfies never
  }
  chosen[0] = ids[first]!
  // the first centre's distances stand in the row of a single candidate
  let [closest] = await from([position[first]!])
  let potential = total(closest!, position)
  const cumulated = rules.cumulative === 'float64' ? new Float64Array(ids.length) : new Float32Array(ids.length)
  for (let c = 1; c < clusters; c++) {
    cumulate(closest!, position, cumulated)
    const candidates = Array.from(generator.randomSample(trials), (uniform) =>
      firstAtLeast(cumulated, uniform * potential),
    )
    const tables = await from(candidates.map((candidate) => position[candidate]!))
    let best = 0
    const potentials = tables.map((table) => {
      for (let i = 0; i < table.length; i++) if (closest![i]! < table[i]!) table[i] = closest![i]!
      return total(table, position)
    })
    for (let t = 1; t < trials; t++) if (potentials[t]! < potentials[best]!) best = t
    closest = tables[best]
    potential = potentials[best]!
    chosen[c] = ids[candidates[best]!]!
  }
  return chosen
}

/** Squared distances of rows to all rows; each call's arrays are the caller's own. */
async function distances(rows: Matrix64, asked: number): Promise<(of: readonly number[]) => Promise<Float32Array[]>> {
  const norms = squaredNorms(rows)
  const tablesOf = async (block: Matrix64, of: readonly number[]): Promise<Float32Array[]> => {
    const products = await timesTransposed(block, rows)
    return of.map((row, i) => {
      const table = new Float32Array(rows.rows)
      for (let j = 0; j < rows.rows; j++)
        table[j] = Math.max(0, -2 * products[i * rows.rows + j]! + norms[row]! + norms[j]!)
      return table
    })
  }
  const pick = (of: readonly number[]): Matrix64 => {
    const data = new Float64Array(of.length * rows.width)
    of.forEach((row, i) => data.set(rows.data.subarray(row * rows.width, (row + 1) * rows.width), i * rows.width))
    return { rows: of.length, width: rows.width, data }
  }
  if (asked < rows.rows || rows.rows > wholeTable) return (of) => tablesOf(pick(of), of)
  const whole: Float32Array[] = []
  const step = Math.max(1, Math.floor(2 ** 21 / rows.rows))
  for (let start = 0; start < rows.rows; start += step) {
    const of = Array.from({ length: Math.min(step, rows.rows - start) }, (_, i) => start + i)
    whole.push(...(await tablesOf(pick(of), of)))
  }
  return (of) => Promise.resolve(of.map((row) => whole[row]!.slice()))
}

/** A float32 number, as the product with the sample weights is in scikit-learn. */
function total(table: Float32Array, position: Int32Array): number {
  let sum = 0
  for (let i = 0; i < position.length; i++) sum += table[position[i]!]!
  return Math.fround(sum)
}

function cumulate(table: Float32Array, position: Int32Array, out: Float64Array | Float32Array): void {
  out[0] = table[position[0]!]!
  for (let i = 1; i < position.length; i++) out[i] = out[i - 1]! + table[position[i]!]!
}

/** First index whose value is not below `wanted`; the last one when all are. */
function firstAtLeast(sorted: Float64Array | Float32Array, wanted: number): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (sorted[middle]! < wanted) low = middle + 1
    else high = middle
  }
  return Math.min(low, sorted.length - 1)
}
