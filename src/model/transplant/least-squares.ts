/**
 * Least squares of any rank: the shortest of the solutions that come closest. Householder QR with column pivoting, and
 * from the right where the rank falls short (complete orthogonal decomposition: Golub & Van Loan §5.5.1, LAPACK's
 * gelsy).
 */

/**
 * Directions below this share of the largest do not count: times max(rows, columns), it is the value that torch passes
 * to LAPACK's gelsy for float32.
 */
export const single = 2 ** -23

/**
 * x [columns] with Σ xⱼ · columnⱼ ≈ target [rows]. `precision` times max(rows, columns) is the share of the largest
 * pivot below which a column depends on the others.
 */
export function leastSquares(columns: readonly Float64Array[], target: Float64Array, precision = single): Float64Array {
  const [rows, count] = [target.length, columns.length]
  const work = columns.map((column) => Float64Array.from(column))
  const rest = Float64Array.from(target)
  const order = work.map((_, j) => j)
  const diagonal = new Float64Array(Math.min(rows, count))
  let rank = 0
  for (; rank < diagonal.length; rank++) {
    const pivot = longest(work, rank)
    swap(work, rank, pivot)
    swap(order, rank, pivot)
    const column = work[rank]!
    const length = norm(column, rank)
    if (!(length > precision * Math.max(rows, count) * Math.abs(diagonal[0]!))) break
    diagonal[rank] = reflectorOf(column, rank, length)
    for (let j = rank + 1; j < count; j++) reflect(column, rank, work[j]!)
    reflect(column, rank, rest)
  }
  const solved = rank === count ? upperSolved(work, diagonal, rest, rank) : shortest(work, diagonal, rest, rank)
  const out = new Float64Array(count)
  for (let j = 0; j < count; j++) out[order[j]!] = solved[j]!
  return out
}

/**
 * R [rank × columns] has more columns than rows: its transpose is decomposed likewise, and the part of x outside its
 * range is nothing.
 */
function shortest(
  work: readonly Float64Array[],
  diagonal: Float64Array,
  rest: Float64Array,
  rank: number,
): Float64Array {
  const count = work.length
  const entry = (i: number, j: number): number => (j === i ? diagonal[i]! : work[j]![i]!)
  const rows = Array.from({ length: rank }, (_, i) => Float64Array.from(work, (_, j) => (j < i ? 0 : entry(i, j))))
  const own = new Float64Array(rank)
  for (let i = 0; i < rank; i++) {
    own[i] = reflectorOf(rows[i]!, i, norm(rows[i]!, i))
    for (let j = i + 1; j < rank; j++) reflect(rows[i]!, i, rows[j]!)
  }
  const out = new Float64Array(count)
  for (let i = 0; i < rank; i++) {
    let sum = rest[i]!
    for (let j = 0; j < i; j++) sum -= rows[i]![j]! * out[j]!
    out[i] = own[i] === 0 ? 0 : sum / own[i]!
  }
  for (let i = rank - 1; i >= 0; i--) reflect(rows[i]!, i, out)
  return out
}

function upperSolved(
  work: readonly Float64Array[],
  diagonal: Float64Array,
  rest: Float64Array,
  rank: number,
): Float64Array {
  const out = new Float64Array(rank)
  for (let i = rank - 1; i >= 0; i--) {
    let sum = rest[i]!
    for (let j = i + 1; j < rank; j++) sum -= work[j]![i]! * out[j]!
    out[i] = sum / diagonal[i]!
  }
  return out
}

/**
 * Turns the column's entries from `first` on into a reflector, scaled to length √2; returns what the reflection leaves
 * at `first`.
 */
function reflectorOf(column: Float64Array, first: number, length: number): number {
  if (length === 0) return 0
  const left = column[first]! > 0 ? -length : length
  column[first] = column[first]! - left
  const scale = Math.SQRT2 / norm(column, first)
  for (let i = first; i < column.length; i++) column[i] = column[i]! * scale
  return left
}

/** Entries from `first` on ← (I − v vᵀ) · them. */
function reflect(reflector: Float64Array, first: number, other: Float64Array): void {
  let dot = 0
  for (let i = first; i < reflector.length; i++) dot += reflector[i]! * other[i]!
  for (let i = first; i < reflector.length; i++) other[i] = other[i]! - dot * reflector[i]!
}

function longest(work: readonly Float64Array[], first: number): number {
  let [best, most] = [first, -1]
  for (let j = first; j < work.length; j++) {
    const length = norm(work[j]!, first)
    if (length > most) [best, most] = [j, length]
  }
  return best
}

function norm(values: Float64Array, first: number): number {
  let sum = 0
  for (let i = first; i < values.length; i++) sum += values[i]! * values[i]!
  return Math.sqrt(sum)
}

function swap(list: unknown[], i: number, j: number): void {
  const kept = list[i]
  list[i] = list[j]
  list[j] = kept
}
